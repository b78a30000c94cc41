// Reports the requests that a replica forwards and holds, for the autoscaler and the other replicas.

import type { AnswerCounts } from "../../domain/serving/answer-counts.ts";
import { recordAnswers } from "../../store/endpoint/minutes.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { type RequestLoad, setRequestLoad } from "../../store/request-load/request-load.ts";
import { recordWorkerFreed } from "../../store/worker/calls.ts";

/** `served` is how many requests a worker has answered since the last report. */
export type LoadReport = RequestLoad & { served: number };

/** The answers of an endpoint since the last report. */
export interface AnswerReport {
  endpointId: string;
  counts: AnswerCounts;
}

/** `changed` is false for a report that only says that nothing changed. */
export function* reportLoad(
  reports: readonly LoadReport[],
  answers: readonly AnswerReport[],
  { replica, now, changed }: { replica: string; now: number; changed: boolean },
): Tx<void> {
  for (const { endpointId, counts } of answers) yield* recordAnswers(endpointId, now, counts);
  for (const { served, ...load } of reports) {
    yield* setRequestLoad(load, replica, now);
    // The end of a request restarts the idle time of its worker.
    if (load.workerId !== "" && (served > 0 || load.requests === 0)) {
      yield* recordWorkerFreed(load.workerId, now, served);
    }
  }
  if (changed) yield* notify(topic.fleet);
}
