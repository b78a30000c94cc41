// The begin and the end of a GPU's quarantine, for the operator and for what runs on the GPU.

import type { GpuLimits } from "../../../domain/gpu/checks.ts";
import { gpuFaultText, quarantineFaults } from "../../../domain/gpu/gpu-health.ts";
import { numbersWithin, uuidsWithin } from "../../../domain/gpu/gpu-slices.ts";
import {
  type GpuHealth,
  type Quarantine,
  withoutQuarantines,
} from "../../../domain/gpu/health-record.ts";
import { wholeNumber } from "../../../domain/gpu-share/gpu-share.ts";
import type { Inventory } from "../../../domain/machine/inventory.ts";
import { gpuUnhealthy } from "../../../domain/notification/machine-events.ts";
import { topic } from "../../../store/engine/notifier.ts";
import { notify, type Tx } from "../../../store/engine/statement.ts";
import { holderOf } from "../../../store/held-gpu/held-gpu.ts";
import { lockGpuHealth, setGpuHealth } from "../../../store/replica/gpu-health.ts";
import { readInventory, recordedInventory } from "../../../store/replica/inventory.ts";
import { findWorker } from "../../../store/worker/worker.ts";
import { raiseOperatorEvent } from "../../notification/raise.ts";
import { movePodFrom } from "../../pod/move.ts";
import { requestWorkerEnd } from "../../worker/request-end.ts";
import { logForPodsWith } from "./observe-gpus.ts";

type Numbers = Pick<Inventory, "gpuNumbers" | "gpuSlices" | "gpuShares">;

/** Pods on the GPU run on, unless the operator has them stopped. A worker ends, and its jobs go back to the queue without counting an attempt. */
export function* announceQuarantine(
  machine: string,
  inventory: Numbers,
  [uuid, quarantine]: [uuid: string, Quarantine],
  { now, limits }: { now: number; limits: Pick<GpuLimits, "quarantinedPods"> },
): Tx<void> {
  const [fault] = quarantineFaults(inventory.gpuNumbers ?? {}, { [uuid]: quarantine });
  yield* raiseOperatorEvent(gpuUnhealthy(machine, now, fault ? gpuFaultText(fault) : uuid));
  yield* notify(topic.fleet);
  yield* notify(topic.workloads);
  if (!fault) return;
  const { reason, recommendation } = quarantine;
  const textOf = (gpu: string) => `its ${gpu} is out of service: ${reason}; ${recommendation}`;
  const concerned = numbersWithin(inventory, uuid);
  yield* logForPodsWith(machine, concerned, { kind: "gpu_unhealthy", textOf }, now);
  for (const index of concerned) yield* endOn(machine, index, quarantine, { now, limits });
}

/** A GPU that the machine has no longer runs nothing, though no error of it was logged: what holds it ends as under a quarantine. */
export function* endOnLostGpus(
  machine: string,
  uuids: readonly string[],
  { trouble, ...at }: { trouble: string | null; now: number; limits: GpuLimits },
): Tx<void> {
  const inventory: Partial<Inventory> = (yield* readInventory(machine)) ?? {};
  const reason = `its driver has it no longer${trouble === null ? "" : ` (${trouble})`}`;
  const loss = { at: at.now, reason, recommendation: "restart the machine" };
  for (const uuid of uuids) {
    for (const index of numbersWithin(inventory, uuid)) yield* endOn(machine, index, loss, at);
  }
}

/** Ends the worker that holds a GPU, and its Pod if the operator has it stopped. */
function* endOn(
  machine: string,
  index: number,
  { at, reason, recommendation }: Omit<Quarantine, "code">,
  { now, limits }: { now: number; limits: Pick<GpuLimits, "quarantinedPods"> },
): Tx<void> {
  const holder = yield* holderOf(machine, index);
  if (holder === null) return;
  const since = new Date(at).toISOString();
  const why = `its GPU ${wholeNumber(index)} is out of service since ${since}: ${reason}; ${recommendation}`;
  const worker = yield* findWorker(holder);
  if (worker) yield* requestWorkerEnd(worker.id, "end", why, now);
  else if (limits.quarantinedPods === "stop") {
    const move = { event: "giveUp", cause: "gpu_quarantined", reason: why, at: now } as const;
    yield* movePodFrom(holder, "RUNNING", move);
  }
}

/** Returns GPUs to placement that were in quarantine, and forgets the errors of all that are named. */
export function* returnGpus(machine: string, uuids: readonly string[], now: number): Tx<void> {
  const before = yield* lockGpuHealth(machine);
  if (!before || uuids.length === 0) return;
  const { quarantines = {} } = before;
  const returned = uuids.filter((uuid) => Object.hasOwn(quarantines, uuid));
  const after: GpuHealth = withoutQuarantines(before, uuids);
  yield* setGpuHealth(machine, after);
  if (returned.length === 0) return;
  yield* notify(topic.fleet);
  const inventory: Partial<Inventory> = (yield* recordedInventory(machine)) ?? {};
  const { gpuFaults = [], gpuTrouble } = inventory;
  const faulty = gpuFaults.flatMap(({ uuid }) => uuidsWithin(inventory, uuid));
  const healthy = returned
    .filter((uuid) => !faulty.includes(uuid))
    .flatMap((uuid) => numbersWithin(inventory, uuid));
  const textOf = (gpus: string) => `its ${gpus} can be used again`;
  yield* logForPodsWith(machine, healthy, { kind: "gpu_healthy", textOf }, now);
  if (!gpuTrouble && Object.keys(after.quarantines ?? {}).length === 0) {
    yield* raiseOperatorEvent(gpuUnhealthy(machine, now, null));
  }
}
