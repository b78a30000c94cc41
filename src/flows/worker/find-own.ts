// Finds a worker of any of an account's endpoints, deleted ones included.

import { Fault } from "../../domain/fault.ts";
import { findEndpointOrDeleted } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { findWorkerWithJobs } from "../../store/worker/worker.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { type StartingWorker, withLoading } from "./model-loading.ts";

/** Throws `worker_not_found` for another account's worker. */
export async function findOwnWorker(
  { store }: { store: Store },
  accountId: string,
  workerId: string,
): Promise<StartingWorker> {
  return throwRefusal(store.read(ownWorker, accountId, workerId));
}

function* ownWorker(accountId: string, workerId: string): Tx<StartingWorker | Fault> {
  const worker = yield* findWorkerWithJobs(workerId);
  const endpoint = worker && (yield* findEndpointOrDeleted(worker.endpointId));
  const isOwn = endpoint?.accountId === accountId;
  return isOwn ? yield* withLoading(worker!) : new Fault("worker_not_found", { id: workerId });
}
