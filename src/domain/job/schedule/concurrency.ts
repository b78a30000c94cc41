// Concurrency keys. At most `limit` jobs of an endpoint with the same key are in the queue or running; the
// others are held, and the next one is admitted in the commit in which a job of the key leaves.

export interface Concurrency {
  key: string;
  limit: number;
}

/** What holds a job that may run otherwise: its concurrency key, or the pace of its rate limit. */
export type Hold = "concurrency" | "rate";

/** What holds a job first: a job with both has a slot of its key before its rate limit admits it. */
export function firstHold(job: { concurrency: unknown; rateLimit: unknown }): Hold | null {
  if (job.concurrency !== null) return "concurrency";
  return job.rateLimit !== null ? "rate" : null;
}

/** How many held jobs of a key are admitted. `admitted` are in the queue or running. */
export function freeSlots(limit: number, admitted: number): number {
  return Math.max(0, limit - admitted);
}
