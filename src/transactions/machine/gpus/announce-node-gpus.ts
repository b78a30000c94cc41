// Tells the operator and the workloads of a cluster's node which of its GPUs became unhealthy, or are healthy again. The
// cluster gives an unhealthy GPU to nothing new.

import type { GpuLimits } from "../../../domain/gpu/checks.ts";
import {
  changedNodeGpus,
  nodeGpuNames,
  unhealthyGpusText,
} from "../../../domain/gpu/node/node-gpus.ts";
import type { Inventory } from "../../../domain/machine/inventory.ts";
import { gpuUnhealthy } from "../../../domain/notification/machine-events.ts";
import { containerEvent } from "../../../domain/pod/pod-event.ts";
import type { Tx } from "../../../store/engine/statement.ts";
import { addSystemLine } from "../../../store/log/system-log.ts";
import { notifyPod } from "../../../store/pod/notify.ts";
import { lockRunningOn } from "../../../store/pod/row.ts";
import { findWorker } from "../../../store/worker/worker.ts";
import { raiseOperatorEvent } from "../../notification/raise.ts";
import { movePodFrom } from "../../pod/move.ts";
import { requestWorkerEnd } from "../../worker/request-end.ts";

interface Reading {
  /** Undefined for a machine that is new. */
  before: Inventory | undefined;
  after: Inventory;
  /** The workloads whose GPUs are all healthy. */
  healthy: readonly string[];
}

/** Pods run on, unless the operator has them stopped. A worker ends, and its jobs go back to the queue without counting an attempt. */
export function* announceNodeGpus(
  machine: string,
  { before, after, healthy }: Reading,
  { now, limits }: { now: number; limits: Pick<GpuLimits, "quarantinedPods"> },
): Tx<void> {
  const [old = null, trouble = null] = [before?.gpuTrouble, after.gpuTrouble];
  if ((old === null) !== (trouble === null)) {
    yield* raiseOperatorEvent(gpuUnhealthy(machine, now, trouble));
  }
  const { unhealthy, recovered } = changedNodeGpus(before?.node, after.node, healthy);
  if (unhealthy.size === 0 && recovered.size === 0) return;
  const pods = new Map((yield* lockRunningOn(machine)).map((pod) => [pod.id, pod]));
  for (const [id, gpus] of unhealthy) {
    const why = `its ${unhealthyGpusText(gpus)}`;
    const pod = pods.get(id);
    if (!pod) {
      const worker = yield* findWorker(id);
      if (worker) yield* requestWorkerEnd(id, "end", why, now);
      continue;
    }
    yield* addSystemLine(id, now, why, containerEvent("gpu_unhealthy", null, null));
    yield* notifyPod(pod);
    if (limits.quarantinedPods !== "stop") continue;
    const move = { event: "giveUp", cause: "gpu_quarantined", reason: why, at: now } as const;
    yield* movePodFrom(id, "RUNNING", move);
  }
  for (const [id, gpus] of recovered) {
    const pod = pods.get(id);
    if (!pod) continue;
    const text = `its ${nodeGpuNames(gpus)} can be used again`;
    yield* addSystemLine(id, now, text, containerEvent("gpu_healthy", null, null));
    yield* notifyPod(pod);
  }
}
