// The answer of `why`: a reason code, a sentence, the evidence behind it, and the next step.
// Instants are milliseconds since the epoch.

import type { EndCause } from "../container/end-cause.ts";
import type { Headcount } from "../endpoint/fleet.ts";
import type { GuaranteeStanding } from "../guarantee/standing.ts";
import type { JobAttempt, LatePost } from "../job/job.ts";
import type { RateLimit } from "../job/schedule/rate-limit.ts";
import type { DominantResource } from "../placement/fair-share.ts";
import type { ScheduleRun } from "../schedule/schedule.ts";
import type { WhyCode } from "./codes.ts";

export interface Answer {
  code: WhyCode;
  sentence: string;
  evidence: Evidence;
  /** The suggested next step; null if none is needed. */
  next: string | null;
  /** A one-line history, for a job. */
  story?: string;
}

/** Only fields relevant to the answer are present. */
export interface Evidence {
  /** Jobs ahead of this one in its queue. */
  jobsAhead?: number;
  queue?: { waiting: number; waitingLowPriority: number; oldestWaitingMs: number | null };
  workers?: Headcount & { workersMax: number };
  /** What the account holds of its dominant resource, and the endpoints that come before this one. */
  share?: DominantResource & { endpointsAhead: string[]; othersAhead: number };
  /** What the owner of a Pod in line and the owner's project hold of what it waits for. */
  standing?: GuaranteeStanding;
  /** Workers that ended before they finished a job, latest first. */
  ends?: WorkerEnding[];
  /** No worker is started before this instant. */
  startAllowedAt?: number;
  /** The last lines that a worker printed. */
  log?: { workerId: string; lines: string[] };
  /** The ids of the jobs that a worker holds. */
  jobs?: string[];
  attempts?: AttemptEvidence[];
  /** Posts of workers for a job that had already ended. */
  latePosts?: LatePost[];
  error?: string;
  /** The concurrency key that holds a job, and the first jobs that it lets run. */
  concurrency?: { key: string; limit: number; admitted: number; jobs: string[]; ahead: number };
  /** The rate limit that holds a job, and when its next job enters the queue. */
  rateLimit?: RateLimit & { nextAt: number; ahead: number };
  /** When a schedule runs next. */
  nextRunAt?: number;
  lastRun?: ScheduleRun;
  /** The cause of failed starts of a Pod, if it is certain. */
  cause?: EndCause;
}

export interface WorkerEnding {
  workerId: string;
  endedAt: number;
  exitCode: number | null;
  signal: string | null;
  /** The cause, if it is certain. */
  cause?: EndCause;
  /** What the worker or the service reported before the end. */
  unhealthy: string | null;
}

/** An attempt without its number. */
export type AttemptEvidence = Omit<JobAttempt, "n">;
