// A Job. Its state decides which fields it has, so that an illegal state does not compile.

import type { StoredText, TextToStore } from "../payload.ts";
import type { StorageLimit } from "../storage/storage-limit.ts";
import { isTerminal } from "./moves.ts";
import type { RetryPolicy } from "./retry-policy.ts";
import type { Concurrency, Hold } from "./schedule/concurrency.ts";
import type { RateLimit } from "./schedule/rate-limit.ts";

interface Submitted {
  seq: number;
  id: string;
  endpointId: string;
  sync: boolean;
  priority: number;
  lowPriority: boolean;
  submittedAt: number;
  /** The earliest start that its client chose; null for none. */
  startAt: number | null;
  /**
   * When it last entered the queue, or will: at its submission, a requeue, a retry or the end of a delay or a
   * hold.
   */
  queuedAt: number;
  /** When its time to live expires. */
  ttlAt: number;
  executionMs: number;
  /** How long its result is kept, and how long it is kept after any other end. */
  keepMs: number;
  failureKeepMs: number;
  webhook: string | null;
  /** How often a worker claimed it. */
  attempts: number;
  /** How often it was tried again after an attempt that failed. */
  retries: number;
  /** What is done about an attempt that fails; null for one more dispatch after a loss. */
  retry: RetryPolicy | null;
  /** How many workers ended while they had it. */
  endedWorkers: number;
  /** Its concurrency key; null for none. */
  concurrency: Concurrency | null;
  /** Its rate limit; null for none. */
  rateLimit: RateLimit | null;
  /** Its place among jobs of the same priority. */
  place: number;
  /** How many chunks of output its present attempt has yielded, and how many of them were delivered. */
  chunks: number;
  chunksDelivered: number;
  /** The trace that its submission belongs to, as `traceText` wrote it. */
  trace: string | null;
  /** Null for a job that was submitted on its own. */
  batch: BatchItem | null;
}

/** The item of a batch that became the job. */
export interface BatchItem {
  batchId: string;
  /** From 0. */
  index: number;
}

/** The worker that has the job, or had it last, and since when. */
interface Dispatched {
  workerId: string;
  takenAt: number;
}

interface NotDispatched {
  workerId: null;
  takenAt: null;
}

interface Ended {
  finishedAt: number;
  /** When its retention is over. */
  forgetAt: number;
  /** When it is deleted, if it is kept beyond its retention. */
  archivedUntil: number | null;
  /** The result, or the last progress before an end without one. */
  output: StoredText;
}

export type QueuedJob = Submitted & NotDispatched & { state: "IN_QUEUE" };

/**
 * A job that enters its queue later: at an instant, because its client delayed it or it waits for a retry, or
 * once its concurrency key has a free slot and its rate limit admits it.
 */
export type DelayedJob = Submitted &
  NotDispatched & { state: "DELAYED" } & (
    | { heldBy: null; dueAt: number }
    | { heldBy: Hold; dueAt: null }
  );

export type RunningJob = Submitted &
  Dispatched & {
    state: "IN_PROGRESS";
    leaseUntil: number;
    /** The last progress that its worker reported. */
    output: StoredText;
  };

type CompletedJob = Submitted & Dispatched & Ended & { state: "COMPLETED" };
type FailedJob = Submitted & Dispatched & Ended & { state: "FAILED"; error: string };

/** A job that was ended by a client or by Freehold, in its queue or on a worker. */
type StoppedJob = Submitted &
  (Dispatched | NotDispatched) &
  Ended & { state: "CANCELLED" | "TIMED_OUT"; error: string };

export type LiveJob = QueuedJob | DelayedJob | RunningJob;
export type EndedJob = CompletedJob | FailedJob | StoppedJob;
export type Job = LiveJob | EndedJob;

export function isEndedJob(job: Job): job is EndedJob {
  return isTerminal(job.state);
}

/** The output that its worker reported; null for a job that waits. */
export function outputText(job: Job): StoredText | null {
  return job.state === "IN_QUEUE" || job.state === "DELAYED" ? null : job.output;
}

/** Why it failed or was stopped; null for a live or completed job. */
export function errorOf(job: Job): string | null {
  return "error" in job ? job.error : null;
}

/** A job before it is stored. */
export interface NewJob {
  id: string;
  endpointId: string;
  sync: boolean;
  priority: number;
  lowPriority: boolean;
  now: number;
  ttlMs: number;
  executionMs: number;
  keepMs: number;
  failureKeepMs: number;
  webhook: string | null;
  retry: RetryPolicy | null;
  concurrency: Concurrency | null;
  rateLimit: RateLimit | null;
  /** The earliest start; null for at once. */
  startAt: number | null;
  /** Further members of the job object that the worker is given, as JSON text, or null. */
  extras: string | null;
  /** The trace that its submission belongs to, as `traceText` writes it. */
  trace: string | null;
  batch: BatchItem | null;
  input: TextToStore;
  /** Where its account is near its limit, so that the job must be checked against it. */
  storageLimit?: StorageLimit | null;
}

/** A job as it is handed to the worker that claimed it. */
export interface ClaimedJob {
  seq: number;
  id: string;
  input: StoredText;
  /** Further members of the job object, as JSON text. */
  extras: string | null;
  webhook: string | null;
  trace: string | null;
  /** The number of this attempt. */
  attempts: number;
  retries: number;
  /** When it became available to workers: at its submission or its last requeue. */
  queuedAt: number;
}

/** An attempt that has ended. */
export interface JobAttempt {
  n: number;
  workerId: string;
  takenAt: number;
  endedAt: number;
  outcome: string;
}

/** True once the job's retention is over: clients no longer see it, and a sweep will delete or archive it. */
export function isExpired(job: Job, now: number): boolean {
  return isEndedJob(job) && job.forgetAt <= now;
}

/** A post of a worker for a job that had already ended. */
export interface LatePost {
  at: number;
  workerId: string;
  kind: string;
  bytes: number;
  /** How many posts this one stands for: the last one that is kept also counts those after it. */
  posts: number;
}

/** One yield of a generator, or a piece of one that fits a reply. */
export interface Chunk {
  n: number;
  output: string;
  metrics: string | null;
}

/**
 * The current numbers of jobs (`inQueue` without those that are delayed or held), and the totals of ended and retried jobs since the endpoint was
 * created.
 */
export interface JobCounts {
  inQueue: number;
  delayed: number;
  inProgress: number;
  completed: number;
  failed: number;
  retried: number;
}
