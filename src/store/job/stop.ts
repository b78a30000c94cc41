// Requests to stop a job, each kept until its worker no longer lists the job or has ended.

import { change, row, rows, type Tx } from "../engine/statement.ts";

export interface StopRequest {
  workerId: string;
  jobId: string;
  requestedAt: number;
}

interface Row {
  worker_id: string;
  job_id: string;
  asked_at: number;
}

/** Requests that a worker stop a job, unless the worker has ended. */
export function* insertStop(workerId: string, jobId: string, now: number): Tx<void> {
  yield* change(
    `insert into stop (worker_id, job_id, asked_at) select id, ?, ? from worker
     where id = ? and observed <> 'ended' /*+ for share */
     on conflict (worker_id, job_id)
       do update set asked_at = excluded.asked_at, told_at = null, heard_at = null`,
    jobId,
    now,
    workerId,
  );
}

export function* deleteStop(workerId: string, jobId: string): Tx<void> {
  yield* change("delete from stop where worker_id = ? and job_id = ?", workerId, jobId);
}

/** Deletes a request unless it was repeated since it was read. */
export function* deleteStopRequest({ workerId, jobId, requestedAt }: StopRequest): Tx<void> {
  yield* change(
    "delete from stop where worker_id = ? and job_id = ? and asked_at = ?",
    workerId,
    jobId,
    requestedAt,
  );
}

export function* deleteStopsOf(workerId: string): Tx<void> {
  yield* change("delete from stop where worker_id = ?", workerId);
}

export function* stopsOf(workerId: string): Tx<StopRequest[]> {
  const found = yield* rows<Row>(
    "select worker_id, job_id, asked_at from stop where worker_id = ? order by asked_at",
    workerId,
  );
  return found.map(fromRow);
}

/** Instants before which a request was made: one for those that their worker has heard, and one for all others. */
export interface OverdueLimits {
  heard: number;
  unheard: number;
}

const IS_OVERDUE = "asked_at <= ? and (heard_at is null or asked_at <= ?)";

/** Open requests that were made before the limits. */
export function* overdueStops({ unheard, heard }: OverdueLimits): Tx<StopRequest[]> {
  const found = yield* rows<Row>(
    `select worker_id, job_id, asked_at from stop where ${IS_OVERDUE}`,
    unheard,
    heard,
  );
  return found.map(fromRow);
}

/** Locks a request if it is still overdue. False if the worker has left the job or heard the request, or it was repeated. */
export function* lockOverdueStop(
  { workerId, jobId }: StopRequest,
  { unheard, heard }: OverdueLimits,
): Tx<boolean> {
  const found = yield* row(
    `select asked_at from stop where worker_id = ? and job_id = ? and ${IS_OVERDUE} /*+ for update */`,
    workerId,
    jobId,
    unheard,
    heard,
  );
  return found !== undefined;
}

/**
 * Records that a worker polls for stops again: it has heard those that its last poll returned. A worker
 * whose handler blocks does not.
 */
export function* hearStops(workerId: string, now: number): Tx<void> {
  yield* change(
    `update stop set heard_at = ?
     where worker_id = ? and told_at is not null and heard_at is null`,
    now,
    workerId,
  );
}

/** Ids of the jobs to name to a worker now: new requests, and those it last heard before `before`. */
export function* takeStops(workerId: string, now: number, before: number): Tx<string[]> {
  const due = yield* rows<Row>(
    `update stop set told_at = ? where worker_id = ? and (told_at is null or told_at <= ?)
     returning job_id, asked_at`,
    now,
    workerId,
    before,
  );
  return due.sort((a, b) => a.asked_at - b.asked_at).map(({ job_id }) => job_id);
}

const fromRow = (row: Row): StopRequest => {
  return { workerId: row.worker_id, jobId: row.job_id, requestedAt: row.asked_at };
};
