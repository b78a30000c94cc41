// Jobs by their deadlines: the time to live of a live job, the retention of an ended one.

import type { DelayedJob, EndedJob, QueuedJob } from "../../domain/job/job.ts";
import { change, row, rows, type Tx } from "../engine/statement.ts";
import { JOB_COLUMNS, type JobRow, jobFromRow } from "./row.ts";
import { ENDED, HELD, LIVE, QUEUED } from "./state-sql.ts";

/** Queued jobs whose time to live is over, locked; the longest overdue first. */
export function* lockOverdueQueued(now: number, limit: number): Tx<QueuedJob[]> {
  const found = yield* rows<JobRow>(
    `select ${JOB_COLUMNS} from job where ${QUEUED} and ttl_at <= ?
     order by ttl_at limit ? /*+ for update skip locked */`,
    now,
    limit,
  );
  return found.map(jobFromRow) as QueuedJob[];
}

/** Held jobs whose time is over, locked. */
export function* lockOverdueHeld(now: number, limit: number): Tx<DelayedJob[]> {
  const found = yield* rows<JobRow>(
    `select ${JOB_COLUMNS} from job where ${HELD} and ttl_at <= ?
     order by ttl_at limit ? /*+ for update skip locked */`,
    now,
    limit,
  );
  return found.map(jobFromRow) as DelayedJob[];
}

/** The earliest end of a time to live among queued and held jobs; null if there is none. */
export function* nextEndOfTtl(): Tx<number | null> {
  const found = yield* row<{ at: number | null }>(
    `select min(at) as at from (
       select min(ttl_at) as at from job where ${QUEUED}
       union all select min(ttl_at) from job where ${HELD}) as ends`,
  );
  return found?.at ?? null;
}

export interface ForgettableJob {
  job: EndedJob;
  inputPayload: string | null;
  /** What is stored of it. */
  bytes: number;
}

/** Ended jobs whose retention is over, locked; the longest overdue first. */
export function* lockForgettable(now: number, limit: number): Tx<ForgettableJob[]> {
  const found = yield* rows<JobRow & { input_payload: string | null; bytes: number }>(
    `select ${JOB_COLUMNS}, input_payload, bytes from job
     where forget_at <= ? and archived_until is null
     order by forget_at limit ? /*+ for update skip locked */`,
    now,
    limit,
  );
  return found.map(forgettableFrom);
}

export function forgettableFrom(
  row: JobRow & { input_payload: string | null; bytes: number },
): ForgettableJob {
  const { input_payload: inputPayload, bytes } = row;
  return { job: jobFromRow(row) as EndedJob, inputPayload, bytes: Number(bytes) };
}

export function* setForgetAt(seq: number, at: number): Tx<void> {
  yield* change(`update job set forget_at = ? where seq = ? and ${ENDED}`, at, seq);
}

export function* setTimeToLive(seq: number, ttlMs: number, ttlAt: number): Tx<void> {
  yield* change(
    `update job set ttl_ms = ?, ttl_at = ? where seq = ? and ${LIVE}`,
    ttlMs,
    ttlAt,
    seq,
  );
}

export function* deleteJob(seq: number): Tx<void> {
  yield* change("delete from job where seq = ?", seq);
}
