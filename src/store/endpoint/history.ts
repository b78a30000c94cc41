// The views `job_minute` and `job_span`: an endpoint's jobs by the minute. Reading a day reads a
// bounded number of rows, however many jobs there were. Each commit writes what they show.

import { change, rows, type Tx } from "../engine/statement.ts";
import type { DurationKind } from "./minutes.ts";

export interface MinuteRow {
  at: number;
  /** The change in the numbers of waiting and running jobs within the minute. */
  queued: number;
  running: number;
  completed: number;
  failed: number;
}

/**
 * The minutes since an instant with any activity, and the current numbers of waiting and running
 * jobs. One statement reads both, so that earlier numbers can be computed backwards from now.
 */
export function* minutesSince(
  endpointId: string,
  from: number,
): Tx<{ minutes: MinuteRow[]; now: Pick<MinuteRow, "queued" | "running"> }> {
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

/** The jobs of each endpoint of an account that ended since an instant, by the minute. */
export function* endedJobsSince(
  accountId: string,
  from: number,
): Tx<{ endpointId: string; completed: number; failed: number }[]> {
  const found = yield* rows<{ endpointId: string; completed: number; failed: number }>(
    `select job_minute.endpoint_id as "endpointId", sum(job_minute.completed) as completed,
       sum(job_minute.failed) as failed
     from endpoint join job_minute on job_minute.endpoint_id = endpoint.id
     where endpoint.account_id = ? and job_minute.at >= ? group by job_minute.endpoint_id`,
    accountId,
    from,
  );
  return found.map(({ endpointId, completed, failed }) => {
    return { endpointId, completed: Number(completed), failed: Number(failed) };
  });
}

export interface HistoryWindow {
  from: number;
  /** Exclusive. */
  to: number;
  bucketMs: number;
}

export interface SpanRow {
  /** The start of the bucket */
  at: number;
  what: DurationKind;
  size: number;
  n: number;
}

/** Queue times and execution times of jobs, by bucket. */
export function* spansIn(endpointId: string, { from, to, bucketMs }: HistoryWindow): Tx<SpanRow[]> {
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

export interface StatusRow {
  /** The start of the bucket. */
  at: number;
  /** The first digit of the status; 0 for requests without an answer. */
  digit: number;
  n: number;
}

/** The answers of a load-balancing endpoint by class of status, by bucket. */
export function* statusesIn(
  endpointId: string,
  { from, to, bucketMs }: HistoryWindow,
): Tx<StatusRow[]> {
  const found = yield* rows<StatusRow>(
    `select at / cast(? as bigint) * cast(? as bigint) as at, size as digit, sum(n) as n
     from job_count where endpoint_id = ? and what = 'status' and at >= ? and at < ? group by 1, 2`,
    bucketMs,
    bucketMs,
    endpointId,
    from,
    to,
  );
  return found.map(({ at, digit, n }) => {
    return { at: Number(at), digit: Number(digit), n: Number(n) };
  });
}

export interface StartsRow {
  at: number;
  n: number;
  /** The sum of the times from a worker's creation to its first call. */
  ms: number;
}

/** Workers by the bucket of their first call. Ended workers are kept for a day. */
export function* startsIn(
  endpointId: string,
  { from, to, bucketMs }: HistoryWindow,
): Tx<StartsRow[]> {
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

/** Deletes up to `limit` minutes of endpoints that began before an instant. */
export function* forgetMinutes(before: number, limit: number): Tx<void> {
  yield* change(
    `delete from job_count where what <> 'now' and (endpoint_id, at) in
       (select distinct endpoint_id, at from job_count where at < ? and what <> 'now'
        order by at limit ?)`,
    before,
    limit,
  );
}
