// Counts held jobs that entered their queue, and tells the workers and clients that wait for them.

import { recordCounts } from "../../../store/endpoint/counts.ts";
import { topic } from "../../../store/engine/notifier.ts";
import { notify, notifyOne, type Tx } from "../../../store/engine/statement.ts";

export function* publishAdmitted(
  endpointId: string,
  jobs: { id: string }[],
  now: number,
): Tx<void> {
  if (jobs.length === 0) return;
  yield* recordCounts(endpointId, now, { in_queue: jobs.length, delayed: -jobs.length });
  for (const { id } of jobs) {
    yield* notifyOne(topic.queue(endpointId));
    yield* notify(topic.job(id));
  }
  yield* notify(topic.fleet);
}
