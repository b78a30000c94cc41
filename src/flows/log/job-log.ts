// Reading what a job printed. It is stored a moment after it is printed, and can be read as long as the job.

import { type Clock, routineOf } from "../../base/clock.ts";
import { isEndedJob, type Job } from "../../domain/job/job.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { findJob } from "../../store/job/find.ts";
import { jobLog, type StoredJobLine } from "../../store/log/job-log.ts";

interface JobLogRequest {
  /** The number of newest lines. */
  tail: number;
  /** Only lines at or after this instant, in milliseconds; null for all. */
  since: number | null;
}

export interface JobLogPart {
  /** How many lines before these were deleted, because the log had reached its limits. */
  lost: number;
  lines: StoredJobLine[];
}

interface JobLogDeps {
  store: Store;
  clock: Clock;
}

/** The last lines of a job have been stored this long after its end. */
const SETTLED_MS = 3_000;

/** The log is also polled, because a notification can be lost. */
const POLL_MS = 2_000;

export async function readJobLog(
  { store }: Pick<JobLogDeps, "store">,
  job: Job,
  request: JobLogRequest,
): Promise<JobLogPart> {
  return newest(await store.read(jobLog, job.seq, 0), request);
}

function newest(lines: StoredJobLine[], { tail, since }: JobLogRequest): JobLogPart {
  const recent = lines.filter(({ at }) => since === null || at >= since);
  const last = tail === 0 ? [] : recent.slice(-tail);
  const isWhole = last.length > 0 && last.length === lines.length;
  return { lost: isWhole ? last[0]!.n - 1 : 0, lines: last };
}

interface JobLogFollow extends JobLogRequest {
  /** The number of the last line that an earlier follow has read; it overrides `tail`. */
  from: number | null;
}

/** The last lines, then new ones until the job has ended. */
export async function* followJobLog(
  deps: JobLogDeps,
  job: Job,
  { from, ...request }: JobLogFollow,
  signal: AbortSignal,
): AsyncGenerator<JobLogPart> {
  const { store, clock } = deps;
  const subscription = store.notifier.subscribe(topic.jobLogs(job.endpointId), topic.job(job.id));
  let last = from;
  try {
    while (!signal.aborted) {
      const isComplete = await hasSettled(deps, job.id);
      const lines: StoredJobLine[] = await store.read(jobLog, job.seq, last ?? 0);
      const part =
        last === null ? newest(lines, request) : { lost: (lines[0]?.n ?? 0) - 1 - last, lines };
      last = lines.at(-1)?.n ?? last ?? 0;
      if (part.lines.length > 0) yield part;
      if (isComplete) return;
      await subscription.wait(routineOf(clock), POLL_MS, signal);
    }
  } finally {
    subscription.close();
  }
}

async function hasSettled({ store, clock }: JobLogDeps, jobId: string): Promise<boolean> {
  const job = await store.read(findJob, jobId, clock.now());
  return !job || (isEndedJob(job) && job.finishedAt + SETTLED_MS <= clock.now());
}
