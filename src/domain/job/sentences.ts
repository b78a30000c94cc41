// The `error` of a job whose handler did not fail. Existing clients match the first two letter for
// letter.

export const EXECUTION_TIMEOUT = "executionTimeout exceeded";
export const LOST_TWICE = "job timed out after 1 retries";
export const PURGED = "removed by purge-queue";
export const ENDPOINT_DELETED = "its endpoint was deleted";
export const CANCELLED = "cancelled by a client";
export const TTL_QUEUED = "its time to live ran out before a worker took it";
export const TTL_RUNNING = "its time to live ran out while it was running";

const TOO_LARGE = "the worker's result has";

export function resultTooLarge(bytes: number, limit: number): string {
  return `${TOO_LARGE} ${bytes} bytes; the limit is ${limit}`;
}

export const saysTooLarge = (error: string) => error.startsWith(`${TOO_LARGE} `);
