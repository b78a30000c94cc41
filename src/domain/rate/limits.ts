// How often a key may ask for what: limits by operation, and the profile of the platform that clients
// know. Without any, nothing is limited.

/** Over so long requests are counted. */
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
  /** In a window, by one key: of the queue to one endpoint, else of all. */
  requests: number;
  /** Being answered at the same time. */
  concurrent?: number;
  /** So many for each running worker, where that comes to more. */
  perWorker?: number;
}

export interface Limits {
  of: Partial<Record<LimitName, Limit>>;
  /** A queue takes no more where more wait than this, and than this for each worker it may have. */
  queue: { least: number; perWorker: number } | null;
}

export const unlimited: Limits = { of: {}, queue: null };

/** The numbers that the platform documents. */
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
};

/** What one of several replicas allows: its share, and at least one. */
export function shareOf(most: number, replicas: number): number {
  return Math.max(1, Math.ceil(most / Math.max(1, replicas)));
}

/** Whether a queue with so many waiting jobs takes no more. */
export function isFull({ queue }: Limits, waiting: number, workersMax: number): boolean {
  return queue !== null && waiting > queue.least && waiting > workersMax * queue.perWorker;
}
