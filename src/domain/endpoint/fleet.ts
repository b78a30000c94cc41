// The facts behind decisions about an endpoint's workers, and the counts of workers derived from
// them.

import type { BackOff } from "./crash-loop-back-off.ts";

/**
 * Why an endpoint may have no workers for now: its account or a budget is spent. With `lacks`, which says
 * what is missing for an hour of one more worker, only further workers may not start.
 */
export type Pause =
  | { code: "no_credits"; lacks?: string }
  | { code: "budget_spent"; what: string; until: number };

/** What also keeps further workers from starting: what another one would hold is beyond a quota. */
export type FurtherPause = Pause | { code: "quota_exceeded"; lacks: string };

/** The input of a decision. Instants are milliseconds since the epoch. */
export interface Fleet {
  /** The endpoint's version; a worker of any other version is outdated. */
  version: number;
  policy: ScalePolicy;
  queue: QueueLoad;
  /** All workers that have not ended. */
  workers: readonly FleetWorker[];
  backOff: BackOff;
  now: number;
}

export interface ScalePolicy {
  workersMin: number;
  workersMax: number;
  scalerType: "QUEUE_DELAY" | "REQUEST_COUNT";
  /** Seconds of waiting, or jobs per worker; more than 0. */
  scalerValue: number;
  idleTimeoutS: number;
}

export interface QueueLoad {
  /** Queued jobs that may add a worker. */
  waiting: number;
  /** Queued jobs that may not add a worker. */
  waitingLowPriority: number;
  /** When the oldest of `waiting` was submitted or requeued; null if none waits. */
  oldestWaitingAt: number | null;
  /** Jobs held by workers that are not draining, without those of low priority. */
  inProgress: number;
  /** Jobs of low priority that such workers hold. */
  inProgressLowPriority: number;
}

export interface FleetWorker {
  id: string;
  version: number;
  /** `draining` takes no more jobs and ends when it holds none. */
  state: "starting" | "idle" | "busy" | "draining" | "unhealthy";
  /** The instant at which its start was decided. */
  startedAt: number;
  /** The instant of its first poll. */
  readyAt: number | null;
  /** The instant at which its last job ended; null if it never had one. */
  idleSince: number | null;
}

/**
 * A worker to drain: it takes no more jobs and ends once it holds none; an unhealthy one ends at
 * once.
 */
export interface Drain {
  id: string;
  why: "idle" | "workers_max" | "unhealthy" | "outdated";
}

export type Headcount = Record<FleetWorker["state"], number>;

export interface Census {
  all: Headcount;
  current: Headcount;
  outdated: Headcount;
}

export function census({ workers, version }: Pick<Fleet, "workers" | "version">): Census {
  const nobody = { starting: 0, idle: 0, busy: 0, draining: 0, unhealthy: 0 };
  const count = { all: { ...nobody }, current: { ...nobody }, outdated: { ...nobody } };
  for (const worker of workers) {
    count.all[worker.state] += 1;
    count[worker.version === version ? "current" : "outdated"][worker.state] += 1;
  }
  return count;
}

/** Workers that can take jobs now. */
export const ready = (count: Headcount) => count.idle + count.busy;

/** Workers that can take jobs now or soon. */
export const capacity = (count: Headcount) => count.starting + ready(count);

/** Workers that still count against workersMax. */
export const total = (count: Headcount) => capacity(count) + count.draining + count.unhealthy;

/** The instant at which a worker has been idle for the whole idle timeout. */
export function idleTimeEndsAt(worker: FleetWorker, policy: ScalePolicy): number {
  const idleFrom = worker.idleSince ?? worker.readyAt ?? worker.startedAt;
  return idleFrom + policy.idleTimeoutS * 1_000;
}

/** The earliest of some instants, or null. */
export function earliest(...instants: (number | null)[]): number | null {
  const known = instants.filter((instant) => instant !== null);
  return known.length > 0 ? Math.min(...known) : null;
}
