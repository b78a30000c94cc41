// A batch: many jobs of one endpoint, submitted in one call, with one webhook at the end.

import { DAY_MS } from "../../base/units.ts";
import type { JobState } from "../job/moves.ts";
import type { StoredText } from "../payload.ts";

/**
 * PENDING until every item is a job; CANCELLING until every job of a cancelled batch has ended. The other two are
 * its ends.
 */
export type BatchState = "PENDING" | "RUNNING" | "CANCELLING" | "COMPLETED" | "CANCELLED";

export interface Batch {
  seq: number;
  id: string;
  accountId: string;
  endpointId: string;
  state: BatchState;
  total: number;
  /** How many items, from the first, became jobs. */
  submitted: number;
  /** The JSON array of its items, as the client wrote it; none once no item is left to submit. */
  items: StoredText;
  /** The size of the items. */
  bytes: number;
  webhook: string | null;
  /** The trace of its request, as `traceText` wrote it. */
  trace: string | null;
  /** Why it was cancelled, if no client cancelled it. */
  reason: string | null;
  createdAt: number;
  finishedAt: number | null;
  /** Its jobs that are deleted, by the state that they ended in. */
  deleted: EndCounts;
  /** Its counts since its end; null before, and once a job of it is retried: then its jobs are counted. */
  endCounts: BatchCounts | null;
}

type EndState = "COMPLETED" | "FAILED" | "CANCELLED" | "TIMED_OUT";
export type EndCounts = Record<EndState, number>;

/** Where the items of a batch are: they add up to its total. */
export interface BatchCounts {
  /** Items that wait, also those that are not yet jobs. */
  inQueue: number;
  inProgress: number;
  completed: number;
  failed: number;
  cancelled: number;
  timedOut: number;
}

export const MAX_ITEMS = 5_000;
/** The limit of one account at the same time. */
export const MAX_UNFINISHED_BATCHES = 100;
/** How long a finished one can be read. */
export const BATCH_KEEP_MS = 30 * DAY_MS;

/**
 * `jobs` counts its jobs that are stored; the other items are not yet jobs. `submitted` is not used, because more items
 * may have become jobs after the batch was read.
 */
export function countItems(
  { state, total, deleted }: Batch,
  jobs: ReadonlyMap<JobState, number>,
): BatchCounts {
  const stored = (of: JobState) => jobs.get(of) ?? 0;
  const ended = (of: EndState) => stored(of) + deleted[of];
  const counted = [...jobs.values(), ...Object.values(deleted)];
  const left = counted.reduce((rest, n) => rest - n, total);
  const isCancelled = state === "CANCELLING" || state === "CANCELLED";
  return {
    inQueue: stored("IN_QUEUE") + stored("DELAYED") + (isCancelled ? 0 : left),
    inProgress: stored("IN_PROGRESS"),
    completed: ended("COMPLETED"),
    failed: ended("FAILED"),
    cancelled: ended("CANCELLED") + (isCancelled ? left : 0),
    timedOut: ended("TIMED_OUT"),
  };
}
