// What explanations rest on, and the form they take.

import type { Fleet, Pause } from "../endpoint/fleet.ts";
import type { FleetReason } from "../endpoint/fleet-plan.ts";
import type { JobTimes } from "../job/story.ts";
import type { PassedOver } from "../placement/decide.ts";
import type { Attempt, Evidence, LatePost, WorkerEnding } from "./answer.ts";
import type { WhyCode } from "./codes.ts";

export interface QueueFacts {
  fleet: Fleet;
  plan: { start: number; wakeAt: number | null; reason: FleetReason };
  deleted: boolean;
  /** Why it may have no workers for now; null where it may. */
  paused: Pause | null;
  /** The driver that the endpoint's workload needs, and whether it is here. */
  driver: { name: string; here: boolean };
  /** False where it has network volumes and no machine that is there can mount one. */
  mountable: boolean;
  /** Why no machine can have another worker; null where one can. */
  passedOver: readonly PassedOver[] | null;
  /** Workers of this version that ended before they finished a job, the latest first. */
  ends: WorkerEnding[];
  /** What the latest of those, or else the worker that is starting, printed last. */
  log: { workerId: string; lines: string[] } | null;
  /** Jobs ahead of the one that is asked about; 0 for an endpoint. */
  ahead: number;
  lowPriority: boolean;
}

/** The reason without its subject: the sentence begins in lower case and ends with a full stop. */
export interface Reason {
  code: WhyCode;
  sentence: string;
  next: string | null;
  evidence: Evidence;
}

export type Said = Omit<Reason, "evidence"> & { evidence?: Evidence };
export type Rule = (facts: QueueFacts) => Said | null;

export interface JobFacts extends JobTimes {
  retries: number;
  executionMs: number;
  ttlAt: number;
  leaseUntil: number | null;
  leaseMs: number;
  workerId: string | null;
  /** When that worker last called. */
  workerSeenAt: number | null;
  attempts: Attempt[];
  latePosts: LatePost[];
  /** Those of its workers that have ended, and the last lines of the latest one. */
  ends: WorkerEnding[];
  log: { workerId: string; lines: string[] } | null;
  /** The queue it waits in; null once it waits no more. */
  queue: QueueFacts | null;
}
