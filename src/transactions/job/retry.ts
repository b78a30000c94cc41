// Returns a failed job to its queue: same id, same input, same place, no output.

import { Fault } from "../../domain/fault.ts";
import { reportedAttempt } from "../../domain/job/attempts.ts";
import { isEndedJob, isExpired, type Job, outputText } from "../../domain/job/job.ts";
import { firstHold } from "../../domain/job/schedule/concurrency.ts";
import { dropEndCounts } from "../../store/batch/batch.ts";
import { recordCounts } from "../../store/endpoint/counts.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, notifyOne, type Tx } from "../../store/engine/statement.ts";
import { insertAttempt, lastAttemptOf } from "../../store/job/attempt.ts";
import { deleteChunks } from "../../store/job/chunk.ts";
import { setRetried } from "../../store/job/end.ts";
import { lockJob, lockKeptJob } from "../../store/job/find.ts";
import { dropOutput } from "../storage/job-bytes.ts";
import { leaveArchive } from "./archive/archive.ts";
import { touchHeld } from "./schedule/admissions.ts";

/** A client of the queue retries a job that it can see. */
export function* retryJob(jobId: string, endpointId: string, now: number): Tx<null | Fault> {
  const job = yield* lockJob(jobId);
  if (!job || job.endpointId !== endpointId || isExpired(job, now)) {
    return new Fault("job_not_found", { id: jobId });
  }
  return yield* retryLockedJob(job, now);
}

/** The owner of a job retries it, also from the archive. */
export function* retryKeptJob(jobId: string, now: number): Tx<null | Fault> {
  const job = yield* lockKeptJob(jobId);
  return job ? yield* retryLockedJob(job, now) : new Fault("job_not_found", { id: jobId });
}

/** A locked job, archived or not. */
export function* retryLockedJob(job: Job, now: number): Tx<null | Fault> {
  const { id: jobId, endpointId } = job;
  yield* leaveArchive(job);
  if (!(yield* setRetried(job, now))) {
    return new Fault("not_retriable", { id: jobId, status: job.state });
  }
  if (job.batch !== null) yield* dropEndCounts(job.batch.batchId);
  yield* leaveAttempt(job);
  yield* dropOutput(job, outputText(job)?.payload ?? null);
  yield* deleteChunks(job.seq);
  const isHeld = firstHold(job) !== null;
  const waiting = isHeld ? { delayed: 1 } : { in_queue: 1 };
  yield* recordCounts(endpointId, now, { ...waiting, retried: 1 });
  if (isHeld) yield* touchHeld(job, now);
  else yield* notifyOne(topic.queue(endpointId));
  yield* notify(topic.job(jobId));
  yield* notify(topic.fleet);
  return null;
}

/** Stores the attempt that is only in the job's row, because the retry clears the row. */
function* leaveAttempt(job: Job): Tx<void> {
  if (!isEndedJob(job) || job.workerId === null) return;
  const stored = yield* lastAttemptOf(job.seq);
  if (stored?.n !== job.attempts) yield* insertAttempt(job.seq, reportedAttempt(job), true);
}
