// Releases delayed jobs into their queues when their instant has come, by way of their concurrency key.

import type { DelayedJob, QueuedJob } from "../../../domain/job/job.ts";
import { type CountChanges, recordCounts } from "../../../store/endpoint/counts.ts";
import { topic } from "../../../store/engine/notifier.ts";
import { notify, notifyOne, type Tx } from "../../../store/engine/statement.ts";
import { setHeld } from "../../../store/job/schedule/concurrency.ts";
import { setReleased } from "../../../store/job/schedule/delay.ts";
import { touchKey } from "./admit.ts";

/** Releases up to `most` jobs of each kind, with a key and without; call again while any is due. */
export function* releaseDue(now: number, most: number): Tx<number> {
  const held = yield* setHeld(now, most);
  for (const { endpointId, ...concurrency } of held)
    yield* touchKey({ endpointId, concurrency }, now);
  const released = yield* setReleased(now, most);
  for (const { id, endpointId } of released) {
    yield* recordCounts(endpointId, now, { in_queue: 1, delayed: -1 });
    yield* notifyOne(topic.queue(endpointId));
    yield* notify(topic.job(id));
  }
  if (released.length > 0) yield* notify(topic.fleet);
  return held.length + released.length;
}

/** The counters of a job that leaves the queue, or its delay, without a worker. */
export function leaveWaiting({ state }: Pick<QueuedJob | DelayedJob, "state">): CountChanges {
  return state === "DELAYED" ? { delayed: -1 } : { in_queue: -1 };
}
