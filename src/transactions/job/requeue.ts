// Takes a job from its worker and returns it to its place in the queue.

import { outcomeOf } from "../../domain/job/attempts.ts";
import type { LostAttempt } from "../../domain/job/expiry.ts";
import type { ClaimedJob, RunningJob } from "../../domain/job/job.ts";
import { retryMove } from "../../domain/job/retry-policy.ts";
import { recordCounts } from "../../store/endpoint/counts.ts";
import { recordDuration } from "../../store/endpoint/minutes.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, notifyOne, type Tx, together } from "../../store/engine/statement.ts";
import { insertAttempt } from "../../store/job/attempt.ts";
import { type RequeueEvent, setRequeued } from "../../store/job/end.ts";
import { jobsClaimedAt, lockJobOfWorker, lockJobsOfWorker } from "../../store/job/find.ts";
import { recordWorkerFreed } from "../../store/worker/calls.ts";
import { dropOutput } from "../storage/job-bytes.ts";
import { endRunOf } from "../trace/job-spans.ts";
import { endAttempt } from "./end-attempt.ts";
import { touchKey } from "./schedule/admissions.ts";
import { requestStop } from "./stops.ts";

/** Takes a job from its worker, and has it tried again at once or later. */
export function* tryAgain(job: RunningJob, attempt: LostAttempt, now: number): Tx<void> {
  const { evidence, at, endedWorker, stillRuns } = attempt;
  const event = retryMove(at, now);
  const counts = { retries: 1, endedWorkers: endedWorker ? 1 : 0 } as const;
  if (!(yield* setRequeued(job.seq, event, counts, at))) return;
  yield* endAttempt(job, evidence, now);
  yield* recordWorkerFreed(job.workerId, now, 0);
  yield* publishRequeue(job, event, 1, now);
  if (stillRuns) yield* requestStop(job.workerId, job.id, now);
}

/** Has a job tried again whose worker posted an error. It counts as a retry unless the GPU was at fault. */
export function* tryAgainAfterError(
  job: RunningJob,
  { error, at, isOfGpu = false }: { error: string; at: number; isOfGpu?: boolean },
  now: number,
): Tx<void> {
  const { seq, attempts: n, workerId, takenAt } = job;
  const event = isOfGpu ? "requeue" : retryMove(at, now);
  const retries = isOfGpu ? 0 : 1;
  if (!(yield* setRequeued(seq, event, { retries, endedWorkers: 0 }, at))) return;
  const attempt = { n, workerId, takenAt, endedAt: now, outcome: outcomeOf(error) };
  yield* insertAttempt(seq, attempt, true);
  yield* endRunOf(job, { error }, now);
  yield* recordDuration(job.endpointId, now, "execution", now - takenAt);
  yield* recordWorkerFreed(workerId, now, 1);
  yield* publishRequeue(job, event, retries, now);
}

/**
 * Requeues a job by Freehold's own decision (a drain, a stop of the service, a batch that was cut short), which counts as no
 * retry. False if the worker no longer holds the job.
 */
export function* requeueJob(job: RunningJob, outcome: string, now: number): Tx<boolean> {
  if (!(yield* setRequeued(job.seq, "requeue", { retries: 0, endedWorkers: 0 }, now))) return false;
  yield* endAttempt(job, outcome, now);
  yield* recordWorkerFreed(job.workerId, now, 0);
  yield* publishRequeue(job, "requeue", 0, now);
  return true;
}

/** Drops the attempt's progress, moves the counters, and notifies what waits for the job. */
function* publishRequeue(
  job: RunningJob,
  event: RequeueEvent,
  retried: 0 | 1,
  now: number,
): Tx<void> {
  yield* dropOutput(job, job.output.payload);
  const waiting = event === "backOff" ? { delayed: 1 } : { in_queue: 1 };
  yield* recordCounts(job.endpointId, now, { ...waiting, in_progress: -1, retried });
  if (event === "backOff") {
    yield* touchKey(job, now);
    yield* notify(topic.delays);
  } else yield* notifyOne(topic.queue(job.endpointId));
  yield* notify(topic.job(job.id));
  yield* notify(topic.fleet);
}

/** Requeues all jobs that a worker holds. Returns how many. */
export function* requeueAllOf(workerId: string, outcome: string, now: number): Tx<number> {
  const jobs = yield* lockJobsOfWorker(workerId);
  yield* together(jobs.map((job) => requeueJob(job, outcome, now)));
  return jobs.length;
}

/**
 * Requeues a job that was claimed for a poll whose socket had closed. A repeated call changes nothing, also where the worker has
 * claimed the job once more.
 */
export function* releaseClaim(
  { seq, attempts }: Pick<ClaimedJob, "seq" | "attempts">,
  workerId: string,
  now: number,
): Tx<void> {
  const job = yield* lockJobOfWorker(seq, workerId);
  if (job?.attempts === attempts) yield* requeueJob(job, "the poll it was given to had gone", now);
}

/** Requeues the jobs that a worker claimed at an instant, if the answer to the claim was lost. */
export function* releaseClaimAt(workerId: string, takenAt: number, now: number): Tx<void> {
  for (const job of yield* jobsClaimedAt(workerId, takenAt)) {
    yield* requeueJob(job, "the store was lost while it was handed over", now);
  }
}
