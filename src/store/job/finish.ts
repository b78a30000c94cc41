// Records a worker's result. The first from whoever may report counts: the current holder, or an
// earlier one while the job has not ended. Whatever comes later is kept as evidence and changes
// nothing.

import { isTerminal } from "../../domain/job/moves.ts";
import { bindText, dropPayload, type KeptText } from "../payload.ts";
import { change, freed, lasted, ring, row, sideBySide, tally, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";
import { dueDelivery } from "../webhook/delivery.ts";
import { showChunksOf } from "./earlier.ts";
import { lockJob } from "./find.ts";
import { dropStop } from "./lease.ts";
import { JOB_COLUMNS, type JobRow } from "./row.ts";

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
  /** True where somebody here waits for the end of the job. */
  awaited: boolean;
}

/** What became of a post: it counted, it came too late, or it was never this worker's job. */
export type Reported = "recorded" | "late" | "unknown";

/** As nearly every job ends: by the worker that holds it. False where it does not hold it. */
export const finishHeld = sideBySide(function* finishHeld(result: Result): Verb<boolean> {
  const { jobId, endpointId, workerId, now, error } = result;
  const found = yield* row<Pick<Finished, "seq" | "taken_at" | "attempts" | "webhook">>(
    result.awaited ? finishAndTell : finishQuietly,
    error === null ? "COMPLETED" : "FAILED",
    now,
    now,
    ...columnsOf(result.output),
    error,
    jobId,
    endpointId,
    workerId,
  );
  if (!found) return false;
  const was = { state: "IN_PROGRESS", worker_id: workerId, output_payload: null } as const;
  const news = result.awaited ? found : undefined;
  yield* settle({ ...found, ...was, id: jobId, endpoint_id: endpointId }, result, news);
  return true;
});

const finishReturning = (columns: string) => `
  update job set state = ?, finished_at = ?, forget_at = ? + keep_ms, output = ?,
    output_payload = ?, error = ?
  where id = ? and endpoint_id = ? and worker_id = ? and state = 'IN_PROGRESS'
    and output_payload is null
  returning ${columns}`;
const finishQuietly = finishReturning("seq, taken_at, attempts, webhook");
/** Who waits is told the job's row with the ring, and need not read it. */
const finishAndTell = finishReturning(JOB_COLUMNS);

/** Whoever posts it, and whatever has become of the job meanwhile. */
export function* finishJob(result: Result): Verb<Reported> {
  const { workerId, now, error } = result;
  const job = yield* lockJob(result.jobId);
  if (!job || job.endpoint_id !== result.endpointId) return "unknown";
  if (!(yield* mayReport(job, workerId))) return "unknown";
  if (isTerminal(job.state)) {
    yield* keepEvidence(job.seq, workerId, "job-done", result.bytes, now);
    yield* dropStop(workerId, job.id); // it is done with it
    return "late";
  }
  yield* change(
    `update job set state = ?, finished_at = ?, forget_at = ?, output = ?, output_payload = ?,
       error = ?, worker_id = ?, taken_at = coalesce(taken_at, ?) where seq = ?`,
    error === null ? "COMPLETED" : "FAILED",
    now,
    now + job.keep_ms,
    ...columnsOf(result.output),
    error,
    workerId,
    now,
    job.seq,
  );
  if (job.worker_id !== workerId) yield* showChunksOf(job, workerId);
  yield* settle(job, result);
  return "recorded";
}

type Finished = Pick<
  JobRow,
  | "seq"
  | "id"
  | "endpoint_id"
  | "state"
  | "worker_id"
  | "taken_at"
  | "attempts"
  | "webhook"
  | "output_payload"
>;

const COMPLETED = { completed: 1, ever_completed: 1 };
const FAILED = { failed: 1, ever_failed: 1 };

/** What else follows from a result once it stands in the job's row. */
function* settle(job: Finished, result: Result, news?: unknown): Verb<void> {
  yield* bindText(result.output, result.now);
  yield* dropPayload(job.output_payload); // a progress value that the result replaces
  yield* leaveLive(job, result);
  if (job.webhook !== null) yield* dueDelivery(job, result.now);
  yield* tally(job.endpoint_id, result.now, result.error === null ? COMPLETED : FAILED);
  yield* ring(topic.job(job.id), news);
  yield* ring(topic.fleet);
}

/** Its columns before it is bound. */
function columnsOf(text: KeptText | null): [inline: string | null, payload: string | null] {
  if (text === null) return [null, null];
  return "inline" in text ? [text.inline, null] : [null, text.payload];
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
function* leaveLive(job: Finished, result: Result): Verb<void> {
  if (job.state === "IN_QUEUE") {
    yield* tally(job.endpoint_id, result.now, { in_queue: -1 });
    return;
  }
  yield* tally(job.endpoint_id, result.now, { in_progress: -1 });
  yield* lasted(job.endpoint_id, result.now, "execution", result.now - job.taken_at!);
  const holder = job.worker_id!;
  yield* freed(holder, result.now, holder === result.workerId ? 1 : 0);
  if (holder === result.workerId) return;
  yield* endAttempt(job, "a worker that held the job before had finished it", result.now);
  yield* askToStop(holder, job.id, result.now);
}

/** Writes down that the job left its holder without ending by its hand; it may still report. */
export function* endAttempt(
  job: Pick<JobRow, "seq" | "attempts" | "worker_id" | "taken_at">,
  outcome: string,
  now: number,
): Verb<void> {
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
     where id = ? and observed <> 'ended' /*+ for share */
     on conflict (worker_id, job_id) do update set asked_at = excluded.asked_at, told_at = null`,
    jobId,
    now,
    workerId,
  );
  yield* ring(topic.worker(workerId));
}
