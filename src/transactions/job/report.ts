// The check whether a worker may report on a job: the current holder may, and each earlier holder
// until it has reported.

import { isEndedJob, type Job, type LiveJob } from "../../domain/job/job.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lastAttemptOf } from "../../store/job/attempt.ts";
import { lockJob } from "../../store/job/find.ts";

/** Whether a post counted, came too late to count, or concerns a job that the worker never held. */
export type Reported = "recorded" | "late" | "unknown";

/** A locked job, and the number of the attempt that the worker's post is about. */
export type ReportedJob = { late: false; job: LiveJob; attempt: number } | { late: true; job: Job };

/** The job that a worker's post names. */
export interface PostSubject {
  jobId: string;
  endpointId: string;
  workerId: string;
}

/** Null if the worker never held the job. */
export function* lockReportedJob({
  jobId,
  endpointId,
  workerId,
}: PostSubject): Tx<ReportedJob | null> {
  const job = yield* lockJob(jobId);
  if (!job || job.endpointId !== endpointId) return null;
  const holds = job.workerId === workerId;
  const earlier = holds ? null : yield* lastAttemptOf(job.seq, workerId);
  if (!holds && earlier === null) return null;
  if (isEndedJob(job) || earlier?.reported) return { late: true, job };
  return { late: false, job, attempt: earlier?.n ?? job.attempts };
}
