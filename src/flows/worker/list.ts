// An endpoint's workers: those that live, then the last that ended.

import { Fault } from "../../domain/fault.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { endedWorkers, type LiveWorker, liveWorkers } from "../../store/worker/worker.ts";

export async function workersOf(
  { store }: { store: Store },
  accountId: string,
  endpointId: string,
  mostEnded: number,
): Promise<LiveWorker[]> {
  const workers = await store.read(readWorkers, accountId, endpointId, mostEnded);
  if (!workers) throw new Fault("endpoint_not_found", { id: endpointId });
  return workers;
}

function* readWorkers(
  accountId: string,
  endpointId: string,
  mostEnded: number,
): Verb<LiveWorker[] | null> {
  const endpoint = yield* findEndpoint(endpointId);
  if (endpoint?.accountId !== accountId) return null;
  const ended = yield* endedWorkers(endpointId, mostEnded);
  return [...(yield* liveWorkers(endpointId)), ...ended.map((worker) => ({ ...worker, held: 0 }))];
}
