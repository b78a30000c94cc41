// The health of a machine's GPUs, as it is recorded in the machine's row.

import type { GpuHealth } from "../../domain/gpu/health-record.ts";
import { ALL_ACCOUNTS, topic } from "../engine/notifier.ts";
import { change, notify, row, type Tx } from "../engine/statement.ts";

/** Locked until the transaction commits; undefined if the machine is not known. */
export function* lockGpuHealth(machine: string): Tx<GpuHealth | undefined> {
  const found = yield* row<{ gpu_health: string }>(
    "select gpu_health from replica where machine = ? /*+ for update */",
    machine,
  );
  return found && (JSON.parse(found.gpu_health) as GpuHealth);
}

/** Takes no lock; undefined if the machine is not known. */
export function* gpuHealthOf(machine: string): Tx<GpuHealth | undefined> {
  const found = yield* row<{ gpu_health: string }>(
    "select gpu_health from replica where machine = ?",
    machine,
  );
  return found && (JSON.parse(found.gpu_health) as GpuHealth);
}

export function* setGpuHealth(machine: string, health: GpuHealth): Tx<void> {
  yield* change(
    "update replica set gpu_health = ? where machine = ?",
    JSON.stringify(health),
    machine,
  );
  yield* notify(topic.changed(ALL_ACCOUNTS, "machine", machine));
}
