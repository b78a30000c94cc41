// Rate limits and quotas by operation, and the documented profile of the platform. No profile means
// no limits.

import { MIB } from "../../base/units.ts";

/** The length of a window. */
export const WINDOW_MS = 10_000;

export const limitNames = [
  "run",
  "runsync",
  "status",
  "stream",
  "cancel",
  "retry",
  "purge-queue",
  "health",
  "requests",
  "openai",
  "rest",
  "graphql",
] as const;
export type LimitName = (typeof limitNames)[number];

export interface Limit {
  /** Requests per window and key; for the queue per endpoint as well. */
  requests: number;
  /** Concurrent requests. */
  concurrent?: number;
  /** Requests per running worker, if that allows more. */
  perWorker?: number;
}

export interface Limits {
  of: Partial<Record<LimitName, Limit>>;
  /**
   * A queue rejects jobs if more wait than this, and more than this for each worker it may have.
   */
  queue: { least: number; perWorker: number } | null;
  /** The limits of each request to a load-balancing endpoint; null for none. */
  requests: RequestLimits | null;
}

export interface RequestLimits {
  bodyBytes: number;
  /** From when a worker gets the request to the end of its answer. */
  responseMs: number;
}

export const unlimited: Limits = { of: {}, queue: null, requests: null };

/** The limits that the platform documents. */
export const runpod: Limits = {
  of: {
    run: { requests: 1_000, concurrent: 200, perWorker: 200 },
    runsync: { requests: 2_000, concurrent: 400, perWorker: 400 },
    status: { requests: 2_000, concurrent: 400, perWorker: 400 },
    stream: { requests: 2_000, concurrent: 400 },
    cancel: { requests: 100, concurrent: 20, perWorker: 20 },
    "purge-queue": { requests: 2 },
    openai: { requests: 2_000, concurrent: 400, perWorker: 400 },
    requests: { requests: 10, concurrent: 2 },
  },
  queue: { least: 50, perWorker: 500 },
  requests: { bodyBytes: 30 * MIB, responseMs: 330_000 },
};

/** The limit of one replica: its share, but at least one. */
export function shareOf(limit: number, replicas: number): number {
  return Math.max(1, Math.ceil(limit / Math.max(1, replicas)));
}

/** True if a queue with this many waiting jobs rejects more. */
export function isFull({ queue }: Limits, waiting: number, workersMax: number): boolean {
  return queue !== null && waiting > queue.least && waiting > workersMax * queue.perWorker;
}
