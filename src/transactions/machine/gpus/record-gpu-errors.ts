// Records what the GPU driver of a machine says in its kernel log. A GPU that cannot be used any more is put in
// quarantine, and an error that a program caused is a line in the log of its workload.

import type { GpuLimits } from "../../../domain/gpu/checks.ts";
import { errorKindOf } from "../../../domain/gpu/gpu-error.ts";
import { concernedUuid, numbersWithin } from "../../../domain/gpu/gpu-slices.ts";
import {
  applyGpuError,
  type GpuHealth,
  type Quarantine,
  takeNewLines,
} from "../../../domain/gpu/health-record.ts";
import type { DriverLine, LoggedDriverLine } from "../../../domain/gpu/kernel-line.ts";
import type { Inventory } from "../../../domain/machine/inventory.ts";
import { containerEvent } from "../../../domain/pod/pod-event.ts";
import { topic } from "../../../store/engine/notifier.ts";
import { notify, type Tx } from "../../../store/engine/statement.ts";
import { holdersOf } from "../../../store/held-gpu/held-gpu.ts";
import { addSystemLogLine } from "../../../store/log/system-log.ts";
import { lockGpuHealth, setGpuHealth } from "../../../store/replica/gpu-health.ts";
import { recordedInventory } from "../../../store/replica/inventory.ts";
import { findWorker } from "../../../store/worker/worker.ts";
import { announceQuarantine } from "./quarantine.ts";

/** Older errors may be those of another workload that had the GPU before. */
const MAX_AGE_MS = 60_000;

/** Returns the quarantines that began, by UUID. */
export function* recordGpuErrors(
  machine: string,
  reading: { boot: string; openedAt: number; lines: readonly LoggedDriverLine[] },
  { now, limits }: { now: number; limits: GpuLimits },
): Tx<[uuid: string, Quarantine][]> {
  const before = yield* lockGpuHealth(machine);
  if (!before) return [];
  const taken = takeNewLines(before, reading);
  if (JSON.stringify(taken.health) === JSON.stringify(before)) return [];
  const inventory = (yield* recordedInventory(machine)) ?? {};
  const quarantined: [string, Quarantine][] = [];
  let { health } = taken;
  for (const { at, line } of taken.lines) {
    const uuid = uuidAt(line, inventory, health);
    if (line.kind === "uuid" || uuid === undefined) continue;
    const holder = at < now - MAX_AGE_MS ? NO_HOLDER : yield* holderAt(machine, inventory, uuid);
    const { code, detail } = line.kind === "fallen" ? { code: null, detail: "" } : line;
    const outcome = applyGpuError(health, { uuid, code, detail, at, ...holder }, limits);
    health = outcome.health;
    if (outcome.quarantine) quarantined.push([uuid, outcome.quarantine]);
    if (outcome.workloadText !== null && holder.workload !== null) {
      const event = containerEvent("gpu_error", null, null);
      yield* addSystemLogLine(holder.workload, at, outcome.workloadText, event);
    }
  }
  yield* setGpuHealth(machine, health);
  for (const each of quarantined) {
    yield* announceQuarantine(machine, inventory, each, { now, limits });
  }
  // What the driver reports of its GPUs has changed, and what it says of the others counts too.
  if (taken.lines.some(({ line }) => concernsReading(line))) yield* notify(topic.gpus(machine));
  return quarantined;
}

type Identities = Pick<Inventory, "gpuNumbers" | "gpuAddresses" | "gpuSlices" | "gpuShares">;

/** The UUID of the MIG device that the line names, else that of the GPU. */
function uuidAt(
  line: DriverLine,
  inventory: Identities,
  { addresses = {} }: GpuHealth,
): string | undefined {
  const { gpuAddresses = {} } = inventory;
  const read = Object.entries(gpuAddresses).find(([, address]) => address === line.pci);
  const uuid = read?.[0] ?? addresses[line.pci];
  return uuid && line.kind === "xid" ? concernedUuid(inventory, uuid, line) : uuid;
}

interface Holder {
  workload: string | null;
  program: string | null;
}

const NO_HOLDER: Holder = { workload: null, program: null };

/** The error of a shared GPU belongs to a workload only if no other has a share. */
function* holderAt(machine: string, inventory: Identities, uuid: string): Tx<Holder> {
  const { gpuNumbers = {}, gpuShares = {} } = inventory;
  const own = gpuNumbers[uuid] === undefined ? [] : [gpuNumbers[uuid]];
  const numbers = Object.hasOwn(gpuShares, uuid) ? numbersWithin(inventory, uuid) : own;
  const [workload, ...others] = yield* holdersOf(machine, numbers);
  if (workload === undefined || others.length > 0) return NO_HOLDER;
  const worker = yield* findWorker(workload);
  return { workload, program: worker?.endpointId ?? workload };
}

function concernsReading(line: DriverLine): boolean {
  if (line.kind === "uuid" || line.kind === "fallen") return line.kind === "fallen";
  const { effect } = errorKindOf(line.code);
  return effect === "quarantine" || effect === "reading" || effect === "fatal";
}
