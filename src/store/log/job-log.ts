// The tables `job_log` and `job_log_mark`: what jobs printed, in pieces that are deleted with the job, and how
// far the log of each worker is stored.

import {
  type JobLine,
  type JobLogPiece,
  type JobSpan,
  joinLines,
  MAX_JOB_LOG,
  parseLines,
} from "../../domain/log/job-lines.ts";
import { change, row, rows, type Tx } from "../engine/statement.ts";
import { checked } from "../engine/text/checked.ts";

/** Appends to the log of a job of the endpoint; does nothing if there is no such job. */
export function* appendJobLog(
  endpointId: string,
  workerId: string,
  { jobId, omitted, lines, chars }: JobLogPiece,
): Tx<void> {
  yield* change(
    `insert into job_log (job_seq, n, worker_id, lines, chars, text)
     select job.seq, coalesce((select max(n + lines) from job_log where job_seq = job.seq), 0)
       + cast(? as bigint), cast(? as text), cast(? as bigint), cast(? as bigint), cast(? as text)
     from job where job.id = ? and ${checked("job.endpoint_id")} = ?`,
    omitted,
    workerId,
    lines.length,
    chars,
    joinLines(lines),
    jobId,
    endpointId,
  );
}

/** Deletes the oldest pieces that are not needed to keep the limits. */
export function* trimJobLog(jobId: string): Tx<void> {
  yield* change(
    `delete from job_log where job_seq = (select seq from job where id = ?) and n in (
       select n from (
         select n, sum(lines) over newer - lines as lines, sum(chars) over newer - chars as chars
         from job_log where job_seq = (select seq from job where id = ?)
         window newer as (order by n desc)
       ) piece where lines >= ? or chars >= ?)`,
    jobId,
    jobId,
    MAX_JOB_LOG.lines,
    MAX_JOB_LOG.chars,
  );
}

/** A line of a job's log, with its number from 1 and the worker that printed it. */
export interface StoredJobLine extends JobLine {
  n: number;
  workerId: string;
}

/** The stored lines after the first `after`, the oldest first. */
export function* jobLog(seq: number, after: number): Tx<StoredJobLine[]> {
  const found = yield* rows<{ n: number; worker_id: string; text: string }>(
    `select n, worker_id, text from job_log where job_seq = ? and n + lines > cast(? as bigint)
     order by n`,
    seq,
    after,
  );
  const lines = found.flatMap(({ n, worker_id: workerId, text }) =>
    parseLines(text).map((line, i) => ({ ...line, n: Number(n) + i + 1, workerId })),
  );
  return lines.filter(({ n }) => n > after);
}

export function* deleteJobLog(seq: number): Tx<void> {
  yield* change("delete from job_log where job_seq = ?", seq);
}

/** Deletes logs that were stored while their job was deleted. */
export function* deleteOrphanedLogs(): Tx<void> {
  yield* change("delete from job_log where job_seq < (select min(seq) from job)");
}

export interface LogMark {
  mark: string;
  at: number;
}

export function* logMarkOf(workerId: string): Tx<LogMark | null> {
  const found = yield* row<LogMark>(
    "select mark, at from job_log_mark where worker_id = ?",
    workerId,
  );
  return found ?? null;
}

/** Moves the mark from where the caller found it; false if another reader moved it first. */
export function* moveLogMark(
  workerId: string,
  from: string | null,
  { mark, at }: LogMark,
): Tx<boolean> {
  if (from === null) {
    const inserted = yield* change(
      "insert into job_log_mark (worker_id, mark, at) values (?, ?, ?) on conflict do nothing",
      workerId,
      mark,
      at,
    );
    return inserted > 0;
  }
  const moved = yield* change(
    "update job_log_mark set mark = ?, at = ? where worker_id = ? and mark = ?",
    mark,
    at,
    workerId,
    from,
  );
  return moved > 0;
}

export function* forgetLogMark(workerId: string): Tx<void> {
  yield* change("delete from job_log_mark where worker_id = ?", workerId);
}

const MAX_SPANS = 1_000;

/** The times in which a worker had jobs, of those that it has or that ended since an instant. */
export function* jobSpansOf(workerId: string, since: number): Tx<JobSpan[]> {
  const found = yield* rows<JobSpan>(
    `select id as "jobId", taken_at as "from", finished_at as "to" from (
       select id, taken_at, finished_at from job where worker_id = ? order by seq desc limit ${MAX_SPANS}
     ) as latest where taken_at is not null and (finished_at is null or finished_at >= ?)`,
    workerId,
    since,
  );
  return found;
}
