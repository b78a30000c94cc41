// A job's summary in one line: how long it waited and ran, on which workers, and how it ended.
//
//   job 6f0c  queued 12 ms, worker started 1.9 s, ran 220 ms, cost 0.000042 dollars, COMPLETED

import { durationText } from "../duration.ts";
import { errorText } from "./error-text.ts";
import type { JobAttempt } from "./job.ts";
import { isTerminal, type JobState } from "./moves.ts";

export interface JobTimes {
  id: string;
  state: JobState;
  submittedAt: number;
  /** When its current attempt began to wait. */
  queuedAt: number;
  /** The earliest start that its client chose. */
  startAt: number | null;
  /** When a delayed job enters its queue; null for any other. */
  dueAt: number | null;
  takenAt: number | null;
  finishedAt: number | null;
  error: string | null;
  /** Micro-dollars, for the time that workers held it. */
  cost: number;
  /** The worker of its current attempt. */
  worker: { createdAt: number; readyAt: number | null } | null;
  /** Attempts that ended without the job ending, in order. */
  attempts: Omit<JobAttempt, "n">[];
}

export function jobStory(job: JobTimes, now: number): string {
  const parts = [...earlier(job), ...present(job, now), ...price(job), ending(job)];
  return `job ${job.id}  ${parts.join(", ")}`;
}

function earlier({ attempts, submittedAt, startAt }: JobTimes): string[] {
  return attempts.flatMap(({ workerId, takenAt, endedAt, outcome }, n) => {
    const since = attempts[n - 1]?.endedAt ?? startAt ?? submittedAt;
    const heldFor = durationText(endedAt - takenAt);
    return [
      `queued ${durationText(takenAt - since)}`,
      `back from ${workerId} after ${heldFor} (${outcome})`,
    ];
  });
}

function present(job: JobTimes, now: number): string[] {
  const { takenAt, queuedAt, finishedAt, dueAt } = job;
  if (dueAt !== null)
    return ["queued for later", `due in ${durationText(Math.max(0, dueAt - now))}`];
  if (takenAt === null) {
    const waited = durationText(Math.max(0, (finishedAt ?? now) - queuedAt));
    return [finishedAt === null ? `queued ${waited} so far` : `queued ${waited}`];
  }
  const startMs = startUp(job, takenAt);
  const queued = `queued ${durationText(takenAt - queuedAt - startMs)}`;
  const started = startMs > 0 ? [`worker started ${durationText(startMs)}`] : [];
  const ran = durationText((finishedAt ?? now) - takenAt);
  return [queued, ...started, finishedAt === null ? `running ${ran} so far` : `ran ${ran}`];
}

/** A job without a cost has no cost in its summary. */
function price({ cost }: JobTimes): string[] {
  return cost > 0 ? [`cost ${(cost / 1_000_000).toFixed(6)} dollars`] : [];
}

/** The part of the wait that was the start of the worker that claimed the job. */
function startUp({ worker, queuedAt }: JobTimes, takenAt: number): number {
  if (!worker || worker.createdAt < queuedAt) return 0;
  return Math.max(0, Math.min(worker.readyAt ?? takenAt, takenAt) - worker.createdAt);
}

const MAX_ERROR_CHARS = 120;

function ending({ state, error }: JobTimes): string {
  if (!isTerminal(state) || error === null) return state;
  const [line = ""] = errorText(error).split("\n");
  return `${state}: ${line.length > MAX_ERROR_CHARS ? `${line.slice(0, MAX_ERROR_CHARS)}...` : line}`;
}
