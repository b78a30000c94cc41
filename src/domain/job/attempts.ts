// The attempts of a job: each time that a worker claimed it, and how that ended.

import { errorText } from "./error-text.ts";
import { type EndedJob, isEndedJob, type Job, type JobAttempt } from "./job.ts";

/** The attempt of a job that is still running. */
interface RunningAttempt extends Omit<JobAttempt, "endedAt" | "outcome"> {
  endedAt: null;
  outcome: null;
}

export type AnyAttempt = JobAttempt | RunningAttempt;

/** All attempts: the stored ones, and the one that only the job's row contains. */
export function allAttempts(job: Job, stored: readonly JobAttempt[]): AnyAttempt[] {
  const last = lastAttempt(job);
  return last === null || stored.some(({ n }) => n === last.n) ? [...stored] : [...stored, last];
}

/** The attempts before the one in the job's row. */
export function earlierAttempts(job: Job, stored: readonly JobAttempt[]): JobAttempt[] {
  return stored.filter(({ takenAt }) => takenAt !== job.takenAt);
}

/**
 * The attempt in the job's row, which is stored as well unless it runs or ended with its worker's
 * result. Null where no worker has the job or had it last.
 */
function lastAttempt(job: Job): AnyAttempt | null {
  const { attempts: n, workerId, takenAt } = job;
  if (workerId === null) return null;
  if (isEndedJob(job)) return reportedAttempt({ ...job, workerId, takenAt });
  return { n, workerId, takenAt, endedAt: null, outcome: null };
}

const MAX_CHARS = 200;

/** The attempt of a job that ended with its worker's result. */
export function reportedAttempt(job: EndedJob & { workerId: string; takenAt: number }): JobAttempt {
  const { attempts: n, workerId, takenAt, finishedAt: endedAt } = job;
  return { n, workerId, takenAt, endedAt, outcome: outcomeOf("error" in job ? job.error : null) };
}

/** The outcome of an attempt that ended with its worker's result, as a clause. */
export function outcomeOf(error: string | null): string {
  if (error === null) return "it completed";
  const [line = ""] = errorText(error).split("\n");
  return `its handler failed: ${line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}...` : line}`;
}
