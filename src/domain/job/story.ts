// A job's story in one line: what it waited for, who held it, how it ended.
//
//   job 6f0c  queued 12 ms, worker started 1.9 s, ran 220 ms, cost 0.000042 dollars, COMPLETED

import { spanText } from "../span.ts";
import { errorText } from "./error-text.ts";
import { isTerminal, type JobState } from "./moves.ts";

export interface JobTimes {
  id: string;
  state: JobState;
  submittedAt: number;
  /** When the present attempt began to wait. */
  queuedAt: number;
  takenAt: number | null;
  finishedAt: number | null;
  error: string | null;
  /** Micro-dollars, of the time that workers had it. */
  cost: number;
  /** The worker that has or had it in the present attempt. */
  worker: { createdAt: number; readyAt: number | null } | null;
  /** Attempts that ended without the job ending, the first one first. */
  attempts: { workerId: string; takenAt: number; endedAt: number; outcome: string }[];
}

export function jobStory(job: JobTimes, now: number): string {
  const parts = [...earlier(job), ...present(job, now), ...price(job), ending(job)];
  return `job ${job.id}  ${parts.join(", ")}`;
}

function earlier({ attempts, submittedAt }: JobTimes): string[] {
  return attempts.flatMap(({ workerId, takenAt, endedAt, outcome }, n) => {
    const since = attempts[n - 1]?.endedAt ?? submittedAt;
    const held = spanText(endedAt - takenAt);
    return [
      `queued ${spanText(takenAt - since)}`,
      `back from ${workerId} after ${held} (${outcome})`,
    ];
  });
}

function present(job: JobTimes, now: number): string[] {
  const { takenAt, queuedAt, finishedAt } = job;
  if (takenAt === null) {
    const waited = spanText((finishedAt ?? now) - queuedAt);
    return [finishedAt === null ? `queued ${waited} so far` : `queued ${waited}`];
  }
  const startMs = startUp(job, takenAt);
  const queued = `queued ${spanText(takenAt - queuedAt - startMs)}`;
  const started = startMs > 0 ? [`worker started ${spanText(startMs)}`] : [];
  const ran = spanText((finishedAt ?? now) - takenAt);
  return [queued, ...started, finishedAt === null ? `running ${ran} so far` : `ran ${ran}`];
}

/** What a process costs is not worth a word. */
function price({ cost }: JobTimes): string[] {
  return cost > 0 ? [`cost ${(cost / 1_000_000).toFixed(6)} dollars`] : [];
}

/** The part of the wait in which the worker that took the job was starting. */
function startUp({ worker, queuedAt }: JobTimes, takenAt: number): number {
  if (!worker || worker.createdAt < queuedAt) return 0;
  return Math.max(0, Math.min(worker.readyAt ?? takenAt, takenAt) - worker.createdAt);
}

const LONGEST_ERROR = 120;

function ending({ state, error }: JobTimes): string {
  if (!isTerminal(state) || error === null) return state;
  const [line = ""] = errorText(error).split("\n");
  return `${state}: ${line.length > LONGEST_ERROR ? `${line.slice(0, LONGEST_ERROR)}...` : line}`;
}
