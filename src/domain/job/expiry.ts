// Decides whether a running job has expired, is lost, or must be requeued. Pure: its inputs are the
// job, what is known of the worker, and now.

import type { Protocol } from "../protocol.ts";
import { decideRetry, type RetryOutcome, type RetryPolicy, retryMove } from "./retry-policy.ts";

export interface LeaseFacts {
  takenAt: number;
  leaseUntil: number;
  ttlAt: number;
  executionMs: number;
  /** How often it was tried again after an attempt that failed. */
  retries: number;
  retry: RetryPolicy | null;
  /** How many workers ended while they had it, before this one. */
  endedWorkers: number;
  /** A random number from 0 up to 1, for the jitter of its next pause. */
  draw: number;
  /**
   * Since when this replica was reachable without a gap; silence before that is not the worker's
   * fault.
   */
  watchedSince: number;
  /** What is known of the worker that holds it; null where there is no such worker. */
  worker: HolderSigns | null;
}

export interface HolderSigns {
  ended: boolean;
  /** True if it ended because it exceeded its memory limit. */
  outOfMemory: boolean;
  /** True if Freehold asked a healthy worker to end; its end does not then count as a loss. */
  endRequested: boolean;
  /** Why Freehold asked it to end; null if it did not, or gave no reason. */
  endReason: string | null;
  pingedAt: number | null;
  /** The SDK version its pings carry. From 1.7 on, pings do not depend on the handler. */
  pingVersion: string | null;
  /** The instant of its last poll that reported no jobs. */
  polledIdleAt: number | null;
  seenAt: number | null;
}

export type LeaseVerdict =
  | { event: "none" }
  | { event: "expire" | "overrun" }
  | { event: "giveUp"; evidence: string }
  | { event: "requeue"; evidence: string }
  | { event: "quarantine"; evidence: string; endedWorkers: number }
  | ({ event: "lose" | "backOff" } & LostAttempt);

/** An attempt that failed without a result, and that another one follows. */
export interface LostAttempt {
  /** The outcome that the list of attempts shows. */
  evidence: string;
  /** When the job may run again. */
  at: number;
  /** True if its worker ended while it had the job. */
  endedWorker: boolean;
  /** True if its worker still runs the job and has to stop. */
  stillRuns: boolean;
}

type Times = Pick<Protocol, "leaseMs" | "silentMs">;

export function judgeLease(job: LeaseFacts, now: number, times: Times): LeaseVerdict {
  if (now >= job.takenAt + job.executionMs) return overran(job, now);
  if (now >= job.ttlAt) return { event: "expire" };
  if (!job.worker) return lost(job, "its worker is gone", now);
  if (job.worker.ended) return workerEnded(job, job.worker, now);
  return judgeSilence(job, job.worker, now, times);
}

/** When a running job's times are over, whatever its worker does. */
export function lastInstant({
  takenAt,
  executionMs,
  ttlAt,
}: Pick<LeaseFacts, "takenAt" | "executionMs" | "ttlAt">): number {
  return Math.min(takenAt + executionMs, ttlAt);
}

function overran(job: LeaseFacts, now: number): LeaseVerdict {
  const evidence = "its execution timeout was over";
  const next = failed(job, { outcome: "timeout", evidence, endedWorker: false }, now);
  return next.event === "giveUp" ? { event: "overrun" } : next;
}

const WORKER_ENDED = "its worker ended while it held the job";
const OUT_OF_MEMORY = "its worker exceeded its memory limit";

function workerEnded(job: LeaseFacts, worker: HolderSigns, now: number): LeaseVerdict {
  if (worker.endRequested) {
    const because = worker.endReason === null ? "" : `: ${worker.endReason}`;
    return { event: "requeue", evidence: `${WORKER_ENDED}${because}` };
  }
  const failure: Failure = worker.outOfMemory
    ? { outcome: "outOfMemory", evidence: OUT_OF_MEMORY, endedWorker: true }
    : { outcome: "workerLost", evidence: WORKER_ENDED, endedWorker: true };
  return failed(job, failure, now);
}

function lost(job: LeaseFacts, evidence: string, now: number): LeaseVerdict {
  return failed(job, { outcome: "workerLost", evidence, endedWorker: false }, now);
}

interface Failure {
  outcome: RetryOutcome;
  evidence: string;
  endedWorker: boolean;
}

function failed(job: LeaseFacts, failure: Failure, now: number): LeaseVerdict {
  const { outcome, evidence, endedWorker } = failure;
  const endedWorkers = job.endedWorkers + Number(endedWorker);
  const { retries, ttlAt, draw } = job;
  const next = decideRetry(job.retry, { outcome, retries, endedWorkers, ttlAt, draw }, now);
  if (next.event === "quarantine") return { event: "quarantine", evidence, endedWorkers };
  if (next.event === "fail") return { event: "giveUp", evidence };
  return {
    event: retryMove(next.at, now),
    evidence,
    at: next.at,
    endedWorker,
    stillRuns: outcome === "timeout",
  };
}

/** Decides for a worker that runs but is silent about the job. */
function judgeSilence(
  job: LeaseFacts,
  worker: HolderSigns,
  now: number,
  times: Times,
): LeaseVerdict {
  const { takenAt, watchedSince } = job;
  // The worker could not renew its lease while this replica was unreachable.
  const leaseUntil = Math.max(job.leaseUntil, watchedSince + times.leaseMs);
  if (now < leaseUntil) return { event: "none" };
  const evidence = evidenceOfLoss(job, worker, leaseUntil - times.leaseMs);
  // A worker drops a result that it cannot post: if this replica was unreachable then, it is no loss.
  if (evidence !== null && takenAt < watchedSince) {
    return { event: "requeue", evidence: `${evidence}, after this replica was unreachable` };
  }
  if (evidence !== null) return lost(job, evidence, now);
  const pingsByItself = worker.pingVersion !== null && worker.pingedAt !== null;
  const seenAt = Math.max(worker.seenAt ?? 0, watchedSince);
  if (pingsByItself && now >= seenAt + times.silentMs) {
    return lost(job, "its worker stopped calling", now);
  }
  return { event: "none" };
}

/** The evidence that the worker does not have the job, or null. */
function evidenceOfLoss(
  { takenAt }: LeaseFacts,
  worker: HolderSigns,
  listedAt: number,
): string | null {
  // A poll that was sent before the hand-over may arrive up to a second after it.
  const holdsSince = takenAt + 1_000;
  if (worker.pingedAt !== null && worker.pingedAt > Math.max(listedAt, holdsSince)) {
    return "its worker pings but does not list the job";
  }
  if (worker.polledIdleAt !== null && worker.polledIdleAt > holdsSince) {
    return "its worker asks for work and reports that it holds no job";
  }
  return null;
}
