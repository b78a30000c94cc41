// Drains the workers of machines that accept no new workloads.

import type { Tx } from "../../store/engine/statement.ts";
import { workersToDrain } from "../../store/replica/upkeep.ts";
import { requestWorkerEnd } from "../worker/request-end.ts";

/** Workers on such machines finish their jobs and end; returns how many. */
export function* drainWorkers(now: number): Tx<number> {
  const workers = yield* workersToDrain(now);
  for (const id of workers)
    yield* requestWorkerEnd(id, "drain", "its machine takes nothing new", now);
  return workers.length;
}
