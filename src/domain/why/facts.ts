// The facts behind explanations, and the form of an explanation.

import type { Fleet, FurtherPause } from "../endpoint/fleet.ts";
import type { FleetReason } from "../endpoint/fleet-plan.ts";
import type { PassedOver } from "../fault.ts";
import type { LatePost } from "../job/job.ts";
import type { RetryPolicy } from "../job/retry-policy.ts";
import type { RateLimit } from "../job/schedule/rate-limit.ts";
import type { JobTimes } from "../job/story.ts";
import type { ModelLoading } from "../model/loading.ts";
import type { DominantResource } from "../placement/fair-share.ts";
import type { StartInstants } from "../worker/cold-start.ts";
import type { AttemptEvidence, Evidence, WorkerEnding } from "./answer.ts";
import type { WhyCode } from "./codes.ts";

export interface QueueFacts {
  fleet: Fleet;
  plan: { start: number; wakeAt: number | null; reason: FleetReason };
  deleted: boolean;
  /** Why it may have no workers for now, or null. */
  paused: FurtherPause | null;
  /** The driver that the endpoint's workload needs, and whether the service offers it. */
  driver: { name: string; here: boolean };
  /** False if it has network volumes and no online machine can mount one. */
  mountable: boolean;
  /** Why no machine can run another worker; null if one can. */
  passedOver: readonly PassedOver[] | null;
  /** The endpoint's turn for the next place; null or absent if a machine can run another worker. */
  turn?: TurnFacts | null;
  /** Workers of this version that ended before they finished a job, latest first. */
  ends: WorkerEnding[];
  /** The last output of the latest of those, or else of the starting worker. */
  log: { workerId: string; lines: string[] } | null;
  /** The start of the worker that has been starting longest; null or absent if none is starting. */
  starting?: (StartInstants & { id: string }) | null;
  /** The machine on whose silent engine that worker's start waits; null or absent if that answers. */
  silentMachine?: string | null;
  /** The model whose download the starting worker waits for; null or absent if it waits for none. */
  loading?: ModelLoading | null;
  /** Jobs ahead of the explained job; 0 for an endpoint. */
  ahead: number;
  lowPriority: boolean;
  /** Set for a load-balancing endpoint. */
  serving?: ServingFacts;
}

/** Which endpoints get the places that become free before this one. Other accounts' are only counted. */
export interface TurnFacts {
  /** What the endpoint's account holds; null without machines. */
  share: DominantResource | null;
  /** The ids of the account's own endpoints that come first. */
  ownAhead: string[];
  othersAhead: number;
}

/** How a worker of a load-balancing endpoint fares. */
export interface ServingFacts {
  /** What the health checks of a worker found that is not ready; null if none is known. */
  finding: string | null;
}

/** A reason without its subject and its evidence: the sentence begins in lower case and ends with a full stop. */
export interface BareReason {
  code: WhyCode;
  sentence: string;
  next: string | null;
}

export interface Reason extends BareReason {
  evidence: Evidence;
}

/** A reason whose evidence may be left out. */
export type Explanation = Omit<Reason, "evidence"> & { evidence?: Evidence };
export type Rule = (facts: QueueFacts) => Explanation | null;

/** A job that its concurrency key holds. */
export interface KeyFacts {
  key: string;
  limit: number;
  /** How many jobs of the key are in the queue or running, and the ids of the first of them. */
  admitted: number;
  jobs: string[];
  /** Held jobs of the key that are admitted before it. */
  ahead: number;
}

/** A job that the pace of its rate limit holds. */
export interface RateFacts extends RateLimit {
  /** The instant at which the next job of the key enters the queue. */
  nextAt: number;
  /** Held jobs of the key that enter before it. */
  ahead: number;
}

export interface JobFacts extends JobTimes {
  retries: number;
  retry: RetryPolicy | null;
  executionMs: number;
  ttlAt: number;
  leaseUntil: number | null;
  leaseMs: number;
  workerId: string | null;
  /** The instant of that worker's last call. */
  workerSeenAt: number | null;
  attempts: AttemptEvidence[];
  latePosts: LatePost[];
  /** Its workers that have ended, and the last lines of the latest one. */
  ends: WorkerEnding[];
  log: { workerId: string; lines: string[] } | null;
  /** What the GPUs of its workers reported while they had it, in sentences; absent for nothing. */
  gpuErrors?: string[];
  /** The job's queue; null unless it waits. */
  queue: QueueFacts | null;
  /** Null or absent unless its concurrency key holds it. */
  heldByKey?: KeyFacts | null;
  /** Null or absent unless its rate limit holds it. */
  heldByRate?: RateFacts | null;
}
