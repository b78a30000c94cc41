// The answer to "why is it as it is": a reason code, a sentence for people, the evidence the
// sentence rests on, and what to do next. Instants are milliseconds since the epoch.

import type { Headcount } from "../endpoint/fleet.ts";
import type { EndCause } from "../worker/end-cause.ts";
import type { WhyCode } from "./codes.ts";

export interface Answer {
  code: WhyCode;
  sentence: string;
  evidence: Evidence;
  /** What to do about it; null where nothing need be done. */
  next: string | null;
  /** Of a job: its whole way in one line. */
  story?: string;
}

/** Only what bears on the answer is there. */
export interface Evidence {
  /** Jobs that stand before this one in its queue. */
  jobsAhead?: number;
  queue?: { waiting: number; waitingLowPriority: number; oldestWaitingMs: number | null };
  workers?: Headcount & { workersMax: number };
  /** Workers that ended before they finished a job, the latest first. */
  ends?: WorkerEnding[];
  /** No worker is started before this instant. */
  startAllowedAt?: number;
  /** The last lines that a worker printed. */
  log?: { workerId: string; lines: string[] };
  /** Ids of the jobs that a worker has. */
  jobs?: string[];
  attempts?: Attempt[];
  /** What workers posted for a job that had already ended. */
  latePosts?: LatePost[];
  error?: string;
  /** Why a Pod could not be started, where that is certain. */
  cause?: EndCause;
}

export interface WorkerEnding {
  workerId: string;
  endedAt: number;
  exitCode: number | null;
  signal: string | null;
  /** Why, where that is certain. */
  cause?: EndCause;
  /** What it, or we, said of it before it ended. */
  unhealthy: string | null;
}

export interface Attempt {
  workerId: string;
  takenAt: number;
  endedAt: number;
  outcome: string;
}

export interface LatePost {
  at: number;
  workerId: string;
  kind: string;
  bytes: number;
}
