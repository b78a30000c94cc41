// Records a worker's result. The first result counts: from the worker that holds the job, or from
// one that held it earlier. A later result is kept as evidence and changes nothing else.

import { outcomeOf } from "../../domain/job/attempts.ts";
import { outcomeOfError } from "../../domain/job/error-outcome.ts";
import type { Job, LiveJob, RunningJob } from "../../domain/job/job.ts";
import { decideRetry } from "../../domain/job/retry-policy.ts";
import { bytesOf, type TextToStore } from "../../domain/payload.ts";
import { recordBytes, recordCounts } from "../../store/endpoint/counts.ts";
import { recordDuration } from "../../store/endpoint/minutes.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, sideBySide, type Tx } from "../../store/engine/statement.ts";
import { setAttemptReported } from "../../store/job/attempt.ts";
import { adoptChunks, countChunks } from "../../store/job/chunk.ts";
import { finishHeld, finishLocked } from "../../store/job/finish.ts";
import { insertLatePost } from "../../store/job/late-post.ts";
import { setChunks } from "../../store/job/output.ts";
import { deleteStop } from "../../store/job/stop.ts";
import { bindText, referenceTo } from "../../store/payload/payload.ts";
import { recordWorkerFreed } from "../../store/worker/calls.ts";
import { dropOutput } from "../storage/job-bytes.ts";
import { endOf, endRun, endRunOf, endWait } from "../trace/job-spans.ts";
import { isOnQuarantinedGpu } from "../worker/quarantined-gpu.ts";
import { followEnd } from "./deliver.ts";
import { endAttempt } from "./end-attempt.ts";
import { lockReportedJob, type Reported } from "./report.ts";
import { tryAgainAfterError } from "./requeue.ts";
import { touchKey } from "./schedule/admissions.ts";
import { leaveWaiting } from "./schedule/release.ts";
import { requestStop } from "./stops.ts";

export interface JobResult {
  jobId: string;
  endpointId: string;
  workerId: string;
  now: number;
  output: TextToStore | null;
  /** Why the job failed; null for a job that completed. */
  error: string | null;
  /** A random number from 0 up to 1, for the jitter of the pause before another attempt. */
  draw: number;
  /** Bytes of the post, for the evidence of a late one. */
  bytes: number;
  /** True if a request of this replica waits for the end of the job. */
  awaited: boolean;
}

/** The usual end of a job: by the worker that holds it. False if the worker does not hold it. */
export const finishHeldJob = sideBySide(function* finishHeldJob(result: JobResult): Tx<boolean> {
  const { jobId: id, endpointId, workerId, now } = result;
  const bytes = bytesOf(result.output);
  const end = { now, workerId, output: referenceTo(result.output), error: result.error, bytes };
  const finished = yield* finishHeld({ id, endpointId }, end, result.awaited);
  if (!finished) return false;
  const { seq, takenAt, webhook, attempts: n, trace, concurrency, batch, job } = finished;
  const run = { n, workerId, takenAt, endedAt: now, end: endOf(result.error) };
  yield* endRun({ id, endpointId, trace }, run);
  yield* bindText(result.output, now);
  yield* recordBytes(endpointId, bytes);
  yield* leaveRunning({ endpointId, workerId, takenAt }, now, 1);
  yield* touchKey({ endpointId, concurrency }, now);
  yield* publishEnd({ seq, id, endpointId, webhook, batch }, result, job);
  return true;
});

/** Records the result of any worker, in any state of the job. */
export function* finishJob(result: JobResult): Tx<Reported> {
  const { jobId, endpointId, workerId, now, error } = result;
  const reported = yield* lockReportedJob(result);
  if (!reported) return "unknown";
  if (reported.late) {
    const { seq } = reported.job;
    yield* insertLatePost(seq, { at: now, workerId, kind: "job-done", bytes: result.bytes });
    yield* deleteStop(workerId, jobId); // the worker has finished it
    return "late";
  }
  const { job, attempt } = reported;
  if (error !== null && (yield* leaveToRetry(job, attempt, { ...result, error }))) {
    return "recorded";
  }
  const bytes = bytesOf(result.output);
  yield* finishLocked(job, { now, workerId, output: referenceTo(result.output), error, bytes });
  yield* recordBytes(endpointId, bytes);
  if (job.workerId !== workerId) yield* adoptAttempt(job, attempt, error);
  else if (job.state === "IN_PROGRESS") yield* endRunOf(job, endOf(error), now);
  yield* bindText(result.output, now);
  yield* leaveLive(job, workerId, now);
  yield* touchKey(job, now);
  yield* publishEnd(job, result, null);
  return "recorded";
}

/**
 * Leaves a job to another attempt if its retry policy says so. The error of an attempt that another one
 * already follows changes nothing else. True if the job goes on.
 */
function* leaveToRetry(
  job: LiveJob,
  attempt: number,
  { workerId, error, draw, now }: JobResult & { error: string },
): Tx<boolean> {
  const { retry, retries, endedWorkers, ttlAt } = job;
  if (job.state === "IN_PROGRESS" && job.workerId === workerId) {
    if (yield* isOnQuarantinedGpu(workerId)) {
      yield* tryAgainAfterError(job, { error, at: now, isOfGpu: true }, now);
      return true;
    }
  }
  if (retry === null) return false;
  const outcome = outcomeOfError(error);
  if (job.state !== "IN_PROGRESS" || job.workerId !== workerId) {
    if (!retry.on.includes(outcome)) return false;
    yield* setAttemptReported(job.seq, attempt, outcomeOf(error));
    return true;
  }
  const next = decideRetry(retry, { outcome, retries, endedWorkers, ttlAt, draw }, now);
  if (next.event !== "retry") return false;
  yield* tryAgainAfterError(job, { error, at: next.at }, now);
  return true;
}

/** Shows the chunks of the attempt whose result counts, even though the job was taken from it. */
function* adoptAttempt(
  { seq, attempts }: LiveJob,
  attempt: number,
  error: string | null,
): Tx<void> {
  const outcome = `taken from its worker, whose result then counted: ${outcomeOf(error)}`;
  yield* setAttemptReported(seq, attempt, outcome);
  yield* adoptChunks(seq, attempt, attempts);
  yield* setChunks(seq, yield* countChunks(seq, attempts));
}

/** Reverses the counters of the live job, and stops another worker that holds it. */
function* leaveLive(job: LiveJob, reporter: string, now: number): Tx<void> {
  if (job.state !== "IN_PROGRESS") {
    yield* recordCounts(job.endpointId, now, leaveWaiting(job));
    yield* endWait(job, "a worker that held the job before had finished it", now);
    return;
  }
  yield* dropOutput(job, job.output.payload); // the progress, which the result replaces
  yield* leaveRunning(job, now, job.workerId === reporter ? 1 : 0);
  if (job.workerId === reporter) return;
  yield* endAttempt(job, "a worker that held the job before had finished it", now);
  yield* requestStop(job.workerId, job.id, now);
}

type Dispatch = Pick<RunningJob, "endpointId" | "workerId" | "takenAt">;

function* leaveRunning(
  { endpointId, workerId, takenAt }: Dispatch,
  now: number,
  served: 0 | 1,
): Tx<void> {
  yield* recordCounts(endpointId, now, { in_progress: -1 });
  yield* recordDuration(endpointId, now, "execution", now - takenAt);
  yield* recordWorkerFreed(workerId, now, served);
}

const COMPLETED = { completed: 1 };
const FAILED = { failed: 1 };

/**
 * Counts the end, creates the webhook's delivery, and notifies waiting requests; `ended` saves them
 * a query.
 */
function* publishEnd(
  job: Pick<Job, "seq" | "id" | "endpointId" | "webhook" | "batch">,
  { now, error }: JobResult,
  ended: Job | null,
): Tx<void> {
  yield* followEnd(job, now);
  yield* recordCounts(job.endpointId, now, error === null ? COMPLETED : FAILED);
  yield* notify(topic.job(job.id), ended ?? undefined);
  yield* notify(topic.fleet);
}
