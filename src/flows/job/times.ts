// The instants of a job that its summary and its explanation use.

import { errorOf, isEndedJob, type Job } from "../../domain/job/job.ts";
import type { JobTimes } from "../../domain/job/story.ts";
import type { Worker } from "../../domain/worker/worker.ts";

/** `worker` is the one that has the job or had it last. */
export function timesOf(job: Job, worker: Worker | undefined): Omit<JobTimes, "cost" | "attempts"> {
  return {
    id: job.id,
    state: job.state,
    submittedAt: job.submittedAt,
    queuedAt: job.queuedAt,
    startAt: job.startAt,
    dueAt: job.state === "DELAYED" ? job.dueAt : null,
    takenAt: job.takenAt,
    finishedAt: isEndedJob(job) ? job.finishedAt : null,
    error: errorOf(job),
    worker: worker ? { createdAt: worker.createdAt, readyAt: worker.readyAt } : null,
  };
}
