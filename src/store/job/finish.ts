// Records a worker's result. The first from whoever may report counts: the current holder, or an
// earlier one while the job has not ended. Whatever comes later is kept as evidence and changes
// nothing.

import { isTerminal, statesAllowing } from "../../domain/job/moves.ts";
import { bindText, dropPayload, type KeptText } from "../payload.ts";
import { change, freed, ring, row, tally, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";
import { dueDelivery } from "../webhook/delivery.ts";
import { dropStop } from "./lease.ts";
import { JOB_COLUMNS, type JobRow, stateList } from "./row.ts";

export interface Result {
  jobId: string;
  endpointId: string;
  workerId: string;
  now: number;
  output: KeptText | null;
  /** The sentence of a failure; null for a job that completed. */
  error: string | null;
  /** Bytes of the post, for the evidence of one that came too late. */
  bytes: number;
}

/** What became of a post: it counted, it came too late, or it was never this worker's job. */
export type Reported = "recorded" | "late" | "unknown";

const REPORTABLE = stateList(statesAllowing("complete"));

export function* finishJob(result: Result): Verb<Reported> {
  const job = yield* row<JobRow>(`select ${JOB_COLUMNS} from job where id = ?`, result.jobId);
  if (!job || job.endpoint_id !== result.endpointId) return "unknown";
  if (!(yield* mayReport(job, result.workerId))) return "unknown";
  if (isTerminal(job.state)) {
    yield* keepEvidence(job.seq, result.workerId, "job-done", result.bytes, result.now);
    yield* dropStop(result.workerId, job.id); // it is done with it
    return "late";
  }
  const output = yield* bindText(result.output, result.now);
  yield* dropPayload(job.output_payload); // a progress value that the result replaces
  const state = result.error === null ? "COMPLETED" : "FAILED";
  yield* change(
    `update job set state = ?, finished_at = ?, forget_at = ?, output = ?, output_payload = ?, error = ?,
       worker_id = ?, taken_at = coalesce(taken_at, ?)
     where seq = ? and state in (${REPORTABLE})`,
    state,
    result.now,
    result.now + job.keep_ms,
    output.inline,
    output.payload,
    result.error,
    result.workerId,
    result.now,
    job.seq,
  );
  yield* leaveLive(job, result);
  yield* dueDelivery(job, result.now);
  yield* tally(job.endpoint_id, state === "COMPLETED" ? { completed: 1 } : { failed: 1 });
  yield* ring(topic.job(job.id));
  yield* ring(topic.fleet);
  return "recorded";
}

/** True for the worker that holds the job, and for one that held it before. */
export function* mayReport(job: JobRow, workerId: string): Verb<boolean> {
  if (job.worker_id === workerId) return true;
  const held = yield* row(
    "select 1 from attempt where job_seq = ? and worker_id = ?",
    job.seq,
    workerId,
  );
  return held !== undefined;
}

export function* keepEvidence(
  seq: number,
  workerId: string,
  kind: "job-done" | "job-stream",
  bytes: number,
  now: number,
): Verb<void> {
  yield* change(
    "insert into late_post (job_seq, at, worker_id, kind, bytes) values (?, ?, ?, ?, ?)",
    seq,
    now,
    workerId,
    kind,
    bytes,
  );
}

/** Settles what the live job counted for, and calls off whoever else works on it. */
function* leaveLive(job: JobRow, result: Result): Verb<void> {
  if (job.state === "IN_QUEUE") {
    yield* tally(job.endpoint_id, { in_queue: -1 });
    return;
  }
  yield* tally(job.endpoint_id, { in_progress: -1 });
  const holder = job.worker_id!;
  yield* freed(holder, result.now, holder === result.workerId ? 1 : 0);
  if (holder === result.workerId) return;
  yield* endAttempt(job, "a worker that held the job before had finished it", result.now);
  yield* askToStop(holder, job.id, result.now);
}

/** Writes down that the job left its holder without ending by its hand; it may still report. */
export function* endAttempt(job: JobRow, outcome: string, now: number): Verb<void> {
  yield* change(
    `insert into attempt (job_seq, n, worker_id, taken_at, ended_at, outcome)
     values (?, ?, ?, ?, ?, ?)`,
    job.seq,
    job.attempts,
    job.worker_id,
    job.taken_at,
    now,
    outcome,
  );
}

/** Notes that a worker must stop a job, until it no longer lists it or has ended itself. */
export function* askToStop(workerId: string, jobId: string, now: number): Verb<void> {
  yield* change(
    `insert into stop (worker_id, job_id, asked_at) select id, ?, ? from worker
     where id = ? and observed <> 'ended' on conflict do nothing`,
    jobId,
    now,
    workerId,
  );
  yield* ring(topic.worker(workerId));
}
