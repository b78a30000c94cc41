// Whose log is asked for: a Pod or a worker of the account's own.

import { findPod } from "../../store/pod/row.ts";
import type { Store } from "../../store/store.ts";
import { findWorker } from "../../store/worker/worker.ts";
import { readPod } from "../pod/read.ts";
import { findOwnWorker } from "../worker/find-own.ts";
import type { Located } from "./source.ts";

export interface Subject extends Located {
  kind: "pod" | "worker";
}

export async function ownPodSubject(
  deps: { store: Store },
  accountId: string,
  podId: string,
): Promise<Subject> {
  const { pod } = await readPod(deps, accountId, podId);
  return { kind: "pod", id: pod.id, machine: pod.machine };
}

export async function ownWorkerSubject(
  deps: { store: Store },
  accountId: string,
  workerId: string,
): Promise<Subject> {
  const { id, machine } = await findOwnWorker(deps, accountId, workerId);
  return { kind: "worker", id, machine };
}

/** True once it will never run again: a Pod is deleted, a worker has ended. */
export async function isOver({ store }: { store: Store }, { kind, id }: Subject): Promise<boolean> {
  if (kind === "worker") {
    const worker = await store.read(findWorker, id);
    return worker === undefined || worker.observed === "ended";
  }
  const pod = await store.read(findPod, id);
  return pod === undefined || pod.state === "TERMINATED";
}
