// Requests that a worker stop a job, and the worker's polls for them.

import { topic } from "../../store/engine/notifier.ts";
import { notify, sideBySide, type Tx } from "../../store/engine/statement.ts";
import { hearStops, insertStop, takeStops } from "../../store/job/stop.ts";

/** The request stays until the worker no longer lists the job or has ended. */
export function* requestStop(workerId: string, jobId: string, now: number): Tx<void> {
  yield* insertStop(workerId, jobId, now);
  yield* notify(topic.worker(workerId));
}

/**
 * Ids of the jobs to name to a worker now: new requests, and those last named before `repeatBefore`.
 * A poll that has just arrived shows that the worker read the answer to its last one.
 */
export const answerStopPoll = sideBySide(function* answerStopPoll(
  workerId: string,
  poll: { hasArrived: boolean; repeatBefore: number },
  now: number,
): Tx<string[]> {
  if (poll.hasArrived) yield* hearStops(workerId, now);
  return yield* takeStops(workerId, now, poll.repeatBefore);
});
