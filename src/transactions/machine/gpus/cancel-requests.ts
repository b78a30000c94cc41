// Cancels what was requested of GPUs and waits, such as for a machine that is offline.

import { Fault } from "../../../domain/fault.ts";
import { cancelTest, pendingTests } from "../../../domain/gpu/gpu-test.ts";
import type { GpuHealth } from "../../../domain/gpu/health-record.ts";
import { cancelMigChange, isWaitingChange } from "../../../domain/gpu/mig/mig-layout.ts";
import { topic } from "../../../store/engine/notifier.ts";
import { notify, type Tx } from "../../../store/engine/statement.ts";
import { lockGpuHealth, setGpuHealth } from "../../../store/replica/gpu-health.ts";

/** Refuses to cancel what has ended, or a change that has begun: its GPU may be without its devices. */
export function* refuseCancellation(machine: string, uuids: readonly string[]): Tx<Fault | null> {
  const health = uuids.length === 0 ? undefined : yield* lockGpuHealth(machine);
  if (!health) return null;
  const refusals = uuids.flatMap((uuid) => refusalOf(health, uuid) ?? []);
  return refusals[0] ?? null;
}

function refusalOf(health: GpuHealth, uuid: string): Fault | null {
  if (pendingTests(health).includes(uuid)) return null;
  const change = Object.hasOwn(health.migChanges ?? {}, uuid) ? health.migChanges![uuid] : null;
  if (change && isWaitingChange(change)) return null;
  const why =
    change?.result === null
      ? "whose MIG layout is being changed; the change ends once the machine answers"
      : "of which no test or change of the MIG layout is pending";
  return new Fault("invalid_body", {
    detail: `"cancelledGpuRequests" names the GPU ${uuid}, ${why}.`,
  });
}

/** Cancels what was not refused. */
export function* cancelGpuRequests(
  machine: string,
  uuids: readonly string[],
  now: number,
): Tx<void> {
  const before = uuids.length === 0 ? undefined : yield* lockGpuHealth(machine);
  if (!before) return;
  const after = uuids.reduce(
    (health, uuid) => cancelMigChange(cancelTest(health, uuid, now), uuid, now),
    before,
  );
  yield* setGpuHealth(machine, after);
  yield* notify(topic.gpuTests(machine));
  yield* notify(topic.fleet);
  yield* notify(topic.workloads);
}
