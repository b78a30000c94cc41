// Reads jobs.

import type { StoredText } from "../payload.ts";
import { row, rows, type Verb } from "../statement.ts";
import { JOB_COLUMNS, type JobRow } from "./row.ts";

export function* findJob(id: string): Verb<JobRow | undefined> {
  return yield* row<JobRow>(`select ${JOB_COLUMNS} from job where id = ?`, id);
}

/** The same, and nobody else changes it before the surrounding turn is committed. */
export function* lockJob(id: string): Verb<JobRow | undefined> {
  return yield* row<JobRow>(`select ${JOB_COLUMNS} from job where id = ? /*+ for update */`, id);
}

/** What the worker is given, as it was submitted. */
export function* inputOf(seq: number): Verb<StoredText> {
  const found = yield* row<StoredText>(
    "select input as inline, input_payload as payload from job where seq = ?",
    seq,
  );
  return found ?? { inline: null, payload: null };
}

export interface JobFilter {
  accountId: string;
  endpointId: string | null;
  state: string | null;
  /** Only jobs submitted before the one with this sequence number. */
  before: number | null;
  most: number;
}

/** Jobs of an account's endpoints, the newest first. */
export function* listJobs(filter: JobFilter): Verb<JobRow[]> {
  return yield* rows<JobRow>(
    `select ${JOB_COLUMNS} from job
     where endpoint_id in (select id from endpoint where account_id = ?)
       and (cast(? as text) is null or endpoint_id = ?) and (cast(? as text) is null or state = ?)
       and (cast(? as bigint) is null or seq < ?)
     order by seq desc limit ?`,
    filter.accountId,
    filter.endpointId,
    filter.endpointId,
    filter.state,
    filter.state,
    filter.before,
    filter.before,
    filter.most,
  );
}

export interface AttemptRow {
  n: number;
  worker_id: string;
  taken_at: number;
  ended_at: number;
  outcome: string;
}

export function* attemptsOf(seq: number): Verb<AttemptRow[]> {
  return yield* rows<AttemptRow>(
    "select n, worker_id, taken_at, ended_at, outcome from attempt where job_seq = ? order by n",
    seq,
  );
}

export interface LatePostRow {
  at: number;
  worker_id: string;
  kind: string;
  bytes: number;
}

export function* latePostsOf(seq: number): Verb<LatePostRow[]> {
  return yield* rows<LatePostRow>(
    "select at, worker_id, kind, bytes from late_post where job_seq = ? order by at",
    seq,
  );
}

/** How many jobs stand before this one in its queue, counted up to `most`. */
export function* jobsAhead(job: JobRow, most: number): Verb<number> {
  const found = yield* row<{ n: number }>(
    `select count(*) as n from (select 1 from job where endpoint_id = ? and state = 'IN_QUEUE'
       and (priority > ? or (priority = ? and seq < ?)) limit ?) as ahead`,
    job.endpoint_id,
    job.priority,
    job.priority,
    job.seq,
    most,
  );
  return found?.n ?? 0;
}
