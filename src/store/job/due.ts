// Jobs whose time has come: queued ones past their time to live, ended ones past their retention.

import { isTerminal } from "../../domain/job/moves.ts";
import { TTL_QUEUED } from "../../domain/job/sentences.ts";
import { dropPayload } from "../payload.ts";
import { change, row, rows, tally, together, type Verb } from "../statement.ts";
import { endRow } from "./end.ts";
import { lockJob } from "./find.ts";
import { JOB_COLUMNS, type JobRow } from "./row.ts";

/** Ends queued jobs whose time to live ran out. */
export function* expireQueued(now: number, most: number): Verb<number> {
  const due = yield* rows<JobRow>(
    `select ${JOB_COLUMNS} from job where state = 'IN_QUEUE' and ttl_at <= ?
     order by ttl_at limit ? /*+ for update skip locked */`,
    now,
    most,
  );
  yield* together(due.map((job) => endRow(job, "expire", TTL_QUEUED, now)));
  return due.length;
}

/** Forgets ended jobs whose retention is over, unless a webhook still has to hear of them. */
export function* forgetEnded(now: number, most: number): Verb<number> {
  const due = yield* rows<JobRow & { input_payload: string | null }>(
    `select ${JOB_COLUMNS}, input_payload from job where forget_at <= ?
     order by forget_at limit ? /*+ for update skip locked */`,
    now,
    most,
  );
  yield* together(due.map((job) => forget(job, now)));
  return due.length;
}

function* forget(job: JobRow & { input_payload: string | null }, now: number): Verb<void> {
  if (yield* row("select 1 from delivery where job_seq = ? and state = 'waiting'", job.seq)) {
    yield* change("update job set forget_at = ? where seq = ?", now + 10_000, job.seq);
    return;
  }
  yield* dropPayload(job.input_payload);
  yield* dropPayload(job.output_payload);
  if (job.attempts > 0) {
    yield* change("delete from chunk where job_seq = ?", job.seq);
    yield* change("delete from attempt where job_seq = ?", job.seq);
  }
  yield* change("delete from late_post where job_seq = ?", job.seq);
  if (job.webhook !== null) {
    yield* change("delete from delivery_try where job_seq = ?", job.seq);
    yield* change("delete from delivery where job_seq = ?", job.seq);
  }
  yield* change("delete from job where seq = ?", job.seq);
  if (job.state === "COMPLETED") yield* tally(job.endpoint_id, now, { completed: -1 });
  if (job.state === "FAILED" || job.state === "TIMED_OUT") {
    yield* tally(job.endpoint_id, now, { failed: -1, retried: -job.retries });
  } else if (job.retries > 0) yield* tally(job.endpoint_id, now, { retried: -job.retries });
}

/** Moves a live job's time to live, or the end of an ended job's retention. */
export function* setTtl(jobId: string, ttlMs: number, now: number): Verb<void> {
  const job = yield* lockJob(jobId);
  if (!job) return;
  if (isTerminal(job.state)) {
    const until = Math.max(now, job.finished_at! + ttlMs);
    yield* change("update job set forget_at = ? where seq = ?", until, job.seq);
    return;
  }
  const ttlAt = job.submitted_at + ttlMs;
  yield* change("update job set ttl_ms = ?, ttl_at = ? where seq = ?", ttlMs, ttlAt, job.seq);
}
