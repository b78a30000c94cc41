// Releases delayed jobs into their queues when their instant has come, by way of their keys, and touches the keys
// whose next held job is due.

import { earliest } from "../../../domain/endpoint/fleet.ts";
import type { DelayedJob, QueuedJob } from "../../../domain/job/job.ts";
import { type CountChanges, recordCounts } from "../../../store/endpoint/counts.ts";
import { topic } from "../../../store/engine/notifier.ts";
import { notify, notifyOne, type Tx } from "../../../store/engine/statement.ts";
import { setHeld, skippedKeys } from "../../../store/job/schedule/concurrency.ts";
import { nextDue, setReleased } from "../../../store/job/schedule/delay.ts";
import { dueRates, nextRateDue, setHeldByRate } from "../../../store/job/schedule/rate-limit.ts";
import { touchKey, touchRate } from "./admissions.ts";

/** The instant at which the next job or key is due; null for none. */
export function* nextRelease(): Tx<number | null> {
  return earliest(yield* nextDue(), yield* nextRateDue());
}

/** Releases up to `limit` jobs or keys of each kind; call again while any is due. */
export function* releaseDue(now: number, limit: number): Tx<number> {
  const held = yield* setHeld(now, limit);
  for (const { endpointId, ...concurrency } of held)
    yield* touchKey({ endpointId, concurrency }, now);
  const paced = [...(yield* setHeldByRate(now, limit)), ...(yield* dueRates(now, limit))];
  for (const each of paced) yield* touchRate(each, now);
  const released = yield* setReleased(now, limit);
  for (const { id, endpointId } of released) {
    yield* recordCounts(endpointId, now, { in_queue: 1, delayed: -1 });
    yield* notifyOne(topic.queue(endpointId));
    yield* notify(topic.job(id));
  }
  if (released.length > 0) yield* notify(topic.fleet);
  return held.length + paced.length + released.length;
}

/** Touches up to `limit` keys with a job that was skipped because it was locked. */
export function* touchSkipped(now: number, limit: number): Tx<void> {
  for (const { endpointId, ...concurrency } of yield* skippedKeys(limit)) {
    yield* touchKey({ endpointId, concurrency }, now);
  }
}

/** The counters of a job that leaves the queue, or its delay, without a worker. */
export function leaveWaiting({ state }: Pick<QueuedJob | DelayedJob, "state">): CountChanges {
  return state === "DELAYED" ? { delayed: -1 } : { in_queue: -1 };
}
