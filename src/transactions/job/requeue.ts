// Takes a job from its worker and returns it to its place in the queue.

import type { RunningJob } from "../../domain/job/job.ts";
import { recordCounts } from "../../store/endpoint/counts.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, notifyOne, type Tx, together } from "../../store/engine/statement.ts";
import { setRequeued } from "../../store/job/end.ts";
import { jobsClaimedAt, lockJobOfWorker, lockJobsOfWorker } from "../../store/job/find.ts";
import { recordWorkerFreed } from "../../store/worker/calls.ts";
import { dropOutput } from "../storage/job-bytes.ts";
import { endAttempt } from "./end-attempt.ts";

/**
 * `lose` counts as the job's only retry. `requeue` is Freehold's own decision (a drain, a stop of
 * the service, a batch that was cut short) and counts as none. False if the worker no longer holds
 * the job.
 */
export function* requeueJob(
  job: RunningJob,
  event: "lose" | "requeue",
  outcome: string,
  now: number,
): Tx<boolean> {
  const retries = event === "lose" ? 1 : 0;
  if (!(yield* setRequeued(job.seq, event, retries, now))) return false;
  yield* endAttempt(job, outcome, now);
  yield* dropOutput(job, job.output.payload);
  yield* recordWorkerFreed(job.workerId, now, 0);
  yield* recordCounts(job.endpointId, now, { in_queue: 1, in_progress: -1, retried: retries });
  yield* notifyOne(topic.queue(job.endpointId));
  yield* notify(topic.job(job.id));
  yield* notify(topic.fleet);
  return true;
}

/** Requeues all jobs that a worker holds. Returns how many. */
export function* requeueAllOf(workerId: string, outcome: string, now: number): Tx<number> {
  const jobs = yield* lockJobsOfWorker(workerId);
  yield* together(jobs.map((job) => requeueJob(job, "requeue", outcome, now)));
  return jobs.length;
}

/** Requeues a job that was claimed for a poll whose socket had closed. */
export function* releaseClaim(seq: number, workerId: string, now: number): Tx<void> {
  const job = yield* lockJobOfWorker(seq, workerId);
  if (job) yield* requeueJob(job, "requeue", "the poll it was given to had gone", now);
}

/** Requeues the jobs that a worker claimed at an instant, if the answer to the claim was lost. */
export function* releaseClaimAt(workerId: string, takenAt: number, now: number): Tx<void> {
  for (const job of yield* jobsClaimedAt(workerId, takenAt)) {
    yield* requeueJob(job, "requeue", "the store was lost while it was handed over", now);
  }
}
