// Reads jobs, one at a time or as lists.

import type { EndedJob, Job, QueuedJob, RunningJob } from "../../domain/job/job.ts";
import { isEndedJob } from "../../domain/job/job.ts";
import type { StoredText } from "../../domain/payload.ts";
import { row, rows, type Tx } from "../engine/statement.ts";
import { checked } from "../engine/text/checked.ts";
import { JOB_COLUMNS, type JobRow, jobFromRow, QUALIFIED_JOB_COLUMNS } from "./row.ts";
import { DISPATCH_ORDER, IS_RUNNING, PLACE, QUEUED, RUNNING } from "./state-sql.ts";

const FIND = `select ${JOB_COLUMNS} from job where id = ? and (forget_at is null or forget_at > ?)`;

/** A job that clients may see: from the instant its retention is over, they do not. */
export function* findJob(id: string, now: number): Tx<Job | undefined> {
  const found = yield* row<JobRow>(FIND, id, now);
  return found && jobFromRow(found);
}

/**
 * A job that its owner may see: a failure also beyond its retention, while it is archived or about to be.
 */
export const KEPT = `(forget_at is null or forget_at > ?
  or state in ('FAILED', 'TIMED_OUT') and (archived_until is null or archived_until > ?))`;

export function* findKeptJob(id: string, now: number): Tx<Job | undefined> {
  const found = yield* row<JobRow>(
    `select ${JOB_COLUMNS} from job where id = ? and ${KEPT}`,
    id,
    now,
    now,
  );
  return found && jobFromRow(found);
}

/** A stored job that is not archived; no other transaction changes it before this one commits. */
export function* lockJob(id: string): Tx<Job | undefined> {
  const job = yield* lockKeptJob(id);
  return job && isEndedJob(job) && job.archivedUntil !== null ? undefined : job;
}

/** Any stored job, locked. */
export function* lockKeptJob(id: string): Tx<Job | undefined> {
  const found = yield* row<JobRow>(
    `select ${JOB_COLUMNS} from job where id = ? /*+ for update */`,
    id,
  );
  return found && jobFromRow(found);
}

/** What the worker is given, as it was submitted. */
export function* inputOf(seq: number): Tx<StoredText> {
  const found = yield* row<StoredText>(
    "select input as inline, input_payload as payload from job where seq = ?",
    seq,
  );
  return found ?? { inline: null, payload: null };
}

/** Counts the jobs ahead of this one in its queue, up to `limit`. */
export function* jobsAhead(
  job: Pick<Job, "endpointId" | "priority" | "place" | "seq">,
  limit: number,
): Tx<number> {
  const found = yield* row<{ n: number }>(
    `select count(*) as n from (select 1 from job where endpoint_id = ? and ${QUEUED}
       and (priority > ? or (priority = ? and (${PLACE} < ? or (${PLACE} = ? and seq < ?))))
       limit ?) as ahead`,
    job.endpointId,
    job.priority,
    job.priority,
    job.place,
    job.place,
    job.seq,
    limit,
  );
  return found?.n ?? 0;
}

/**
 * The first jobs of an endpoint's queue up to a sequence number, locked; fewer where another replica is claiming some. The
 * sum keeps the database from reading the jobs by their numbers.
 */
export function* lockQueued(endpointId: string, upTo: number, limit: number): Tx<QueuedJob[]> {
  const found = yield* rows<JobRow>(
    `select ${JOB_COLUMNS} from job where endpoint_id = ? and ${QUEUED} and seq + 0 <= ?
     order by ${DISPATCH_ORDER} limit ? /*+ for update */`,
    endpointId,
    upTo,
    limit,
  );
  return found.map(jobFromRow) as QueuedJob[];
}

/** The jobs that a worker holds, locked. */
export function* lockJobsOfWorker(workerId: string): Tx<RunningJob[]> {
  const found = yield* rows<JobRow>(
    `select ${JOB_COLUMNS} from job where worker_id = ? and ${RUNNING}
     order by seq /*+ for update */`,
    workerId,
  );
  return found.map(jobFromRow) as RunningJob[];
}

/** One job that a worker holds, locked. */
export function* lockJobOfWorker(seq: number, workerId: string): Tx<RunningJob | undefined> {
  const found = yield* row<JobRow>(
    `select ${JOB_COLUMNS} from job where seq = ? and ${checked("worker_id")} = ? and ${IS_RUNNING}
     /*+ for update */`,
    seq,
    workerId,
  );
  return found && (jobFromRow(found) as RunningJob);
}

/** The jobs that a worker claimed at an instant and still holds. */
export function* jobsClaimedAt(workerId: string, takenAt: number): Tx<RunningJob[]> {
  const found = yield* rows<JobRow>(
    `select ${JOB_COLUMNS} from job where worker_id = ? and ${RUNNING} and taken_at = ?`,
    workerId,
    takenAt,
  );
  return found.map(jobFromRow) as RunningJob[];
}

/** Ids of the jobs that a worker holds. */
export function* jobIdsOfWorker(workerId: string): Tx<string[]> {
  const found = yield* rows<{ id: string }>(
    `select id from job where worker_id = ? and ${RUNNING}`,
    workerId,
  );
  return found.map(({ id }) => id);
}

/** An ended job with what its webhook carries beside what clients read. */
export interface WebhookJob {
  job: EndedJob;
  input: StoredText;
  /** The account's secret, which signs the message. */
  secret: string | null;
}

/** Undefined where the job is not there or, after a retry, has not ended. */
export function* findWebhookJob(jobSeq: number): Tx<WebhookJob | undefined> {
  const found = yield* row<
    JobRow & { input: string | null; input_payload: string | null; webhook_secret: string | null }
  >(
    `select ${QUALIFIED_JOB_COLUMNS}, job.input, job.input_payload, account.webhook_secret
     from job join endpoint on endpoint.id = job.endpoint_id
       join account on account.id = endpoint.account_id
     where job.seq = ?`,
    jobSeq,
  );
  const job = found && jobFromRow(found);
  if (!job || !isEndedJob(job)) return undefined;
  const input = { inline: found.input, payload: found.input_payload };
  return { job, input, secret: found.webhook_secret };
}
