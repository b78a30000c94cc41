// A client cancels a job, or empties the queue. A running job is stopped on its worker.

import type { Clock } from "../../base/clock.ts";
import type { Job } from "../../domain/job/job.ts";
import { CANCELLED, PURGED } from "../../domain/job/sentences.ts";
import type { Store } from "../../store/engine/store.ts";
import { lastSeq } from "../../store/job/list/matching.ts";
import { endJob, endQueued } from "../../transactions/job/end.ts";
import { find } from "./find.ts";

/** A job that has already ended is returned unchanged. */
export async function cancel(
  deps: { store: Store; clock: Clock },
  endpointId: string,
  jobId: string,
): Promise<Job> {
  await find(deps, endpointId, jobId);
  await deps.store.write(endJob, jobId, { event: "cancel", error: CANCELLED }, deps.clock.now());
  return find(deps, endpointId, jobId);
}

/** A long queue is emptied in many transactions, so that it does not delay other requests. */
const MAX_PURGED_PER_TRANSACTION = 200;

/**
 * Cancels the jobs that are queued when it begins; running jobs go on. Returns how many were cancelled. Jobs that are submitted
 * meanwhile stay: otherwise it would not end while clients submit faster than it cancels.
 */
export async function purge(
  deps: { store: Store; clock: Clock },
  endpointId: string,
): Promise<number> {
  const upTo = await deps.store.read(lastSeq);
  let removed = 0;
  for (;;) {
    const some = await deps.store.write(
      endQueued,
      endpointId,
      { event: "purge", error: PURGED },
      deps.clock.now(),
      MAX_PURGED_PER_TRANSACTION,
      upTo,
    );
    removed += some;
    if (some < MAX_PURGED_PER_TRANSACTION) return removed;
  }
}
