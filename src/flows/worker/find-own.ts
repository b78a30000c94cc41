// A worker of any of an account's endpoints, deleted ones included, or the fault that says it is
// not there.

import { Fault } from "../../domain/fault.ts";
import { findEndpointEver } from "../../store/endpoint/endpoint.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { findHolder, type LiveWorker } from "../../store/worker/worker.ts";

export async function findOwnWorker(
  { store }: { store: Store },
  accountId: string,
  workerId: string,
): Promise<LiveWorker> {
  const worker = await store.read(ownWorker, accountId, workerId);
  if (!worker) throw new Fault("worker_not_found", { id: workerId });
  return worker;
}

function* ownWorker(accountId: string, workerId: string): Verb<LiveWorker | null> {
  const worker = yield* findHolder(workerId);
  const endpoint = worker && (yield* findEndpointEver(worker.endpoint_id));
  return endpoint?.accountId === accountId ? worker! : null;
}
