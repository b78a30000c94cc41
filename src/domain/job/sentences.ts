// The `error` of a job whose handler did not fail. Existing clients match the first two letter for
// letter.

export const EXECUTION_TIMEOUT = "executionTimeout exceeded";
/** The error of a job whose worker was lost after this many retries. */
export const lostAfter = (retries: number) => `job timed out after ${retries} retries`;
export const LOST_TWICE = lostAfter(1);
export const saysLost = (error: string) => /^job timed out after \d+ retries$/.test(error);

/** The beginning of the error of a job in quarantine. */
export const QUARANTINED = "quarantined: ";

export function quarantinedAfter(workers: number): string {
  return `${QUARANTINED}${workers} ${workers === 1 ? "worker" : "workers"} ended while they had the job`;
}
export const saysQuarantined = (error: string) => error.startsWith(QUARANTINED);

export const PURGED = "removed by purge-queue";
export const ENDPOINT_DELETED = "its endpoint was deleted";
export const ITEMS_LOST = "its remaining items are no longer stored";
export const CANCELLED = "cancelled by a client";
export const REPLACED = "replaced by the next run of its schedule";
export const TTL_QUEUED = "its time to live ran out before a worker took it";
export const TTL_RUNNING = "its time to live ran out while it was running";

const TOO_LARGE = "the worker's result has";

export function resultTooLarge(bytes: number, limit: number): string {
  return `${TOO_LARGE} ${bytes} bytes; the limit is ${limit}`;
}

export const saysTooLarge = (error: string) => error.startsWith(`${TOO_LARGE} `);
