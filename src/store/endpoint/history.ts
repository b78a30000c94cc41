// What happened to an endpoint's jobs, minute by minute, for as long as that is kept. What is read of a day
// is bounded, however many jobs there were.

import { change, rows, type Span, type Verb } from "../statement.ts";

export interface MinuteRow {
  at: number;
  /** By how many more waited, and ran, at its end than at its beginning. */
  queued: number;
  running: number;
  completed: number;
  failed: number;
}

/**
 * The minutes since an instant in which anything happened, and how many wait and run now; of one moment,
 * so that from now back it can be reckoned how many there were.
 */
export function* minutesSince(
  endpointId: string,
  from: number,
): Verb<{ minutes: MinuteRow[]; now: Pick<MinuteRow, "queued" | "running"> }> {
  const found = yield* rows<MinuteRow>(
    `select at, sum(queued) as queued, sum(running) as running, sum(completed) as completed,
       sum(failed) as failed
     from job_minute where endpoint_id = ? and at >= ? group by at
     union all
     select -1 as at, coalesce(sum(in_queue), 0) as queued, coalesce(sum(in_progress), 0) as running,
       0 as completed, 0 as failed
     from tally where endpoint_id = ?`,
    endpointId,
    from,
    endpointId,
  );
  const all = found.map(({ at, queued, running, completed, failed }) => ({
    at: Number(at),
    queued: Number(queued),
    running: Number(running),
    completed: Number(completed),
    failed: Number(failed),
  }));
  const minutes = all.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at);
  return { minutes, now: all.find(({ at }) => at < 0)! };
}

export interface Window {
  from: number;
  /** Exclusive. */
  to: number;
  bucketMs: number;
}

export interface SpanRow {
  /** When the bucket began. */
  at: number;
  what: Span;
  size: number;
  n: number;
}

/** How long jobs waited and ran, by bucket. */
export function* spansIn(endpointId: string, { from, to, bucketMs }: Window): Verb<SpanRow[]> {
  const found = yield* rows<SpanRow>(
    `select at / cast(? as bigint) * cast(? as bigint) as at, what, size, sum(n) as n
     from job_span where endpoint_id = ? and at >= ? and at < ? group by 1, 2, 3`,
    bucketMs,
    bucketMs,
    endpointId,
    from,
    to,
  );
  return found.map(({ at, what, size, n }) => {
    return { at: Number(at), what, size: Number(size), n: Number(n) };
  });
}

export interface StartsRow {
  at: number;
  n: number;
  /** From the workers' creation to their first calls, all together. */
  ms: number;
}

/** Workers that called for the first time, by bucket. Those that ended are known for a day. */
export function* startsIn(endpointId: string, { from, to, bucketMs }: Window): Verb<StartsRow[]> {
  const found = yield* rows<StartsRow>(
    `select ready_at / cast(? as bigint) * cast(? as bigint) as at, count(*) as n,
       sum(ready_at - created_at) as ms
     from (select ready_at, created_at from worker where endpoint_id = ? and observed <> 'ended'
         and ready_at >= ? and ready_at < ?
       union all
       select ready_at, created_at from worker where endpoint_id = ? and observed = 'ended'
         and ended_at >= ? and ready_at >= ? and ready_at < ?) as starts
     group by 1`,
    bucketMs,
    bucketMs,
    endpointId,
    from,
    to,
    endpointId,
    from,
    from,
    to,
  );
  return found.map(({ at, n, ms }) => ({ at: Number(at), n: Number(n), ms: Number(ms) }));
}

/** Forgets minutes that began before an instant, up to `most` rows of each kind. */
export function* forgetMinutes(before: number, most: number): Verb<void> {
  yield* change(
    `delete from job_minute where (endpoint_id, at, slot) in
       (select endpoint_id, at, slot from job_minute where at < ? order by at limit ?)`,
    before,
    most,
  );
  yield* change(
    `delete from job_span where (endpoint_id, at, what, size, slot) in
       (select endpoint_id, at, what, size, slot from job_span where at < ? order by at limit ?)`,
    before,
    most,
  );
}
