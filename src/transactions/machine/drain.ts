// Drains the workers of machines that accept no new workloads.

import type { Tx } from "../../store/engine/statement.ts";
import { workersToDrain, workersToDrainOn } from "../../store/replica/upkeep.ts";
import { requestWorkerEnd } from "../worker/request-end.ts";

/** Workers on such machines finish their jobs and end; returns how many. */
export function* drainWorkers(now: number): Tx<number> {
  return yield* drain(yield* workersToDrain(now), now);
}

/** Drains the workers of one machine, whatever was requested for it. */
export function* drainWorkersOn(machine: string, now: number): Tx<number> {
  return yield* drain(yield* workersToDrainOn(machine), now);
}

function* drain(workers: string[], now: number): Tx<number> {
  for (const id of workers)
    yield* requestWorkerEnd(id, "drain", "its machine takes nothing new", now);
  return workers.length;
}
