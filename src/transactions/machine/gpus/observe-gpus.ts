// Records a reading of a machine's GPUs, and tells the operator and the Pods what it changes for them.

import { judgeReboots, quarantinedGpus } from "../../../domain/gpu/gpu-health.ts";
import { numbersConcerned } from "../../../domain/gpu/gpu-slices.ts";
import { withShares } from "../../../domain/gpu-share/with-shares.ts";
import {
  changedFaults,
  changedGpus,
  gpuNumbers,
  lossText,
} from "../../../domain/machine/gpu-changes.ts";
import type { Inventory } from "../../../domain/machine/inventory.ts";
import { gpuUnhealthy } from "../../../domain/notification/machine-events.ts";
import { containerEvent } from "../../../domain/pod/pod-event.ts";
import type { Tx } from "../../../store/engine/statement.ts";
import { addSystemLine } from "../../../store/log/system-log.ts";
import { notifyPod } from "../../../store/pod/notify.ts";
import { podsStartedWithGpus } from "../../../store/pod/resources.ts";
import { lockRunningOn } from "../../../store/pod/row.ts";
import { lockGpuHealth } from "../../../store/replica/gpu-health.ts";
import { type GpuReading, inventoryOn } from "../../../store/replica/inventory.ts";
import { lockUpkeep } from "../../../store/replica/upkeep.ts";
import { raiseOperatorEvent } from "../../notification/raise.ts";
import { addSliceTypes } from "./add-slice-types.ts";
import { recordGpuReading } from "./record-gpus.ts";

/** A machine that no replica has entered yet is entered with its reading. */
export function* observeGpus(machine: string, reading: GpuReading, now: number): Tx<void> {
  yield* addSliceTypes(reading);
  const before = yield* inventoryOn(machine);
  if (!before) return;
  yield* announceGpus(machine, before, { ...before, ...reading }, now);
  yield* recordGpuReading(machine, reading);
}

type Offer = Pick<
  Inventory,
  "gpus" | "node" | "gpuTrouble" | "gpuFaults" | "gpuNumbers" | "gpuSlices"
>;

/** `readBefore` is undefined for a machine that is new. What changes on a cluster's node is announced with its heartbeat. */
export function* announceGpus(
  machine: string,
  readBefore: Offer | undefined,
  read: Offer,
  now: number,
): Tx<void> {
  if (read.node) return;
  const { sharedGpus = {} } = (yield* lockUpkeep(machine)) ?? {};
  const before = readBefore && withShares(readBefore, sharedGpus);
  const after = withShares(read, sharedGpus);
  const trouble = after.gpuTrouble ?? null;
  const { quarantines = {} } = (yield* lockGpuHealth(machine)) ?? {};
  const wasTroubled = (before?.gpuTrouble ?? null) !== null;
  const isResolved = wasTroubled && trouble === null && Object.keys(quarantines).length === 0;
  if (isResolved || (!wasTroubled && trouble !== null)) {
    yield* raiseOperatorEvent(gpuUnhealthy(machine, now, trouble));
  }
  if (!before) return;
  const { lost, back } = changedGpus(before, after);
  const lostText = (gpus: string) =>
    `its ${gpus} cannot be read any more: ${lossText(lost, after) ?? "no driver"}`;
  const backText = (gpus: string) => `its ${gpus} can be read again`;
  yield* logForPodsWith(machine, lost, { kind: "gpu_lost", textOf: lostText }, now);
  yield* logForPodsWith(machine, back, { kind: "gpu_back", textOf: backText }, now);
  const { faulty, repaired } = changedFaults(
    judgeReboots(before, { quarantines }),
    judgeReboots(after, { quarantines }),
  );
  for (const fault of faulty) {
    const textOf = (gpu: string) => `its ${gpu} is out of service: ${fault.reason}`;
    const concerned = numbersConcerned(after, [fault]);
    yield* logForPodsWith(machine, concerned, { kind: "gpu_unhealthy", textOf }, now);
  }
  const quarantined = quarantinedGpus(after, { quarantines });
  const usable = repaired.filter((index) => !quarantined.has(index));
  const repairedText = (gpus: string) => `its ${gpus} can be used again`;
  yield* logForPodsWith(machine, usable, { kind: "gpu_healthy", textOf: repairedText }, now);
}

interface GpuChange {
  kind: "gpu_lost" | "gpu_back" | "gpu_unhealthy" | "gpu_healthy";
  /** The line of the log; it names the GPUs, such as "GPU 1 and 2". */
  textOf: (gpus: string) => string;
}

/** Adds a line and an event to the Pods whose containers were started with one of these GPUs. */
export function* logForPodsWith(
  machine: string,
  changed: readonly number[],
  { kind, textOf }: GpuChange,
  at: number,
): Tx<void> {
  if (changed.length === 0) return;
  const started = new Map((yield* podsStartedWithGpus(machine)).map(({ id, gpus }) => [id, gpus]));
  for (const pod of yield* lockRunningOn(machine)) {
    const affected = (started.get(pod.id) ?? []).filter((index) => changed.includes(index));
    if (affected.length === 0) continue;
    const event = containerEvent(kind, null, null);
    yield* addSystemLine(pod.id, at, textOf(gpuNumbers(affected)), event);
    yield* notifyPod(pod);
  }
}
