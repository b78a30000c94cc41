// The subject of a log or of metrics: a Pod or a worker of the account.

import { Fault } from "../../domain/fault.ts";
import type { Store } from "../../store/engine/store.ts";
import { findPod } from "../../store/pod/row.ts";
import { findQueuedPod } from "../../store/queued-pod/queued-pod.ts";
import { findWorker } from "../../store/worker/worker.ts";
import { readPod } from "../pod/read.ts";
import type { WorkloadLocation } from "../replica/log-source.ts";
import { findOwnWorker } from "../worker/find-own.ts";

export interface Subject extends WorkloadLocation {
  kind: "pod" | "worker";
}

export async function ownPodSubject(
  deps: { store: Store },
  accountId: string,
  podId: string,
): Promise<Subject> {
  const queued = await deps.store.read(findQueuedPod, podId);
  if (queued?.accountId === accountId) throw new Fault("pod_queued", { id: podId });
  const { pod } = await readPod(deps, accountId, podId);
  return { kind: "pod", id: pod.id, machine: pod.placement.machine };
}

export async function ownWorkerSubject(
  deps: { store: Store },
  accountId: string,
  workerId: string,
): Promise<Subject> {
  const { id, machine } = await findOwnWorker(deps, accountId, workerId);
  return { kind: "worker", id, machine };
}

/** Some clients have one address for both. */
export async function ownSubject(
  deps: { store: Store },
  accountId: string,
  id: string,
): Promise<Subject> {
  try {
    return await ownWorkerSubject(deps, accountId, id);
  } catch (error) {
    if (!(error instanceof Fault && error.code === "worker_not_found")) throw error;
    return ownPodSubject(deps, accountId, id);
  }
}

/** Whether it can never run again: the Pod is deleted or the worker has ended. */
export async function isOver({ store }: { store: Store }, { kind, id }: Subject): Promise<boolean> {
  if (kind === "worker") {
    const worker = await store.read(findWorker, id);
    return worker === undefined || worker.observed === "ended";
  }
  const pod = await store.read(findPod, id);
  return pod === undefined || pod.desired.state === "TERMINATED";
}
