// Lists an endpoint's workers: all live ones, then those that ended last.

import { Fault } from "../../domain/fault.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { endedWorkers, liveWorkers } from "../../store/worker/worker.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { type StartingWorker, withLoading } from "./model-loading.ts";

export async function workersOf(
  { store }: { store: Store },
  accountId: string,
  endpointId: string,
  maxEnded: number,
): Promise<StartingWorker[]> {
  return throwRefusal(store.read(readWorkers, accountId, endpointId, maxEnded));
}

function* readWorkers(
  accountId: string,
  endpointId: string,
  maxEnded: number,
): Tx<StartingWorker[] | Fault> {
  const endpoint = yield* findEndpoint(endpointId);
  if (endpoint?.accountId !== accountId) {
    return new Fault("endpoint_not_found", { id: endpointId });
  }
  const ended = yield* endedWorkers(endpointId, maxEnded);
  const live: StartingWorker[] = [];
  for (const worker of yield* liveWorkers(endpointId)) live.push(yield* withLoading(worker));
  return [...live, ...ended.map((worker) => ({ ...worker, jobsHeld: 0, loading: null }))];
}
