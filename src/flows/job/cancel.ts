// A client cancels a job, or empties the queue. What runs is stopped on its worker.

import type { Clock } from "../../base/clock.ts";
import { CANCELLED, PURGED } from "../../domain/job/sentences.ts";
import { endJob, endQueued } from "../../store/job/end.ts";
import type { JobRow } from "../../store/job/row.ts";
import type { Store } from "../../store/store.ts";
import { find } from "./find.ts";

/** A job that has ended already answers its state unchanged. */
export async function cancel(
  deps: { store: Store; clock: Clock },
  endpointId: string,
  jobId: string,
): Promise<JobRow> {
  await find(deps, endpointId, jobId);
  await deps.store.write(endJob, jobId, "cancel", CANCELLED, deps.clock.now());
  return find(deps, endpointId, jobId);
}

/** So many go in one turn; a queue of a million must not hold up everybody else. */
const PURGED_A_TURN = 200;

/** Cancels all that is queued; jobs in progress go on. Returns how many. */
export async function purge(
  deps: { store: Store; clock: Clock },
  endpointId: string,
): Promise<number> {
  let removed = 0;
  for (;;) {
    const some = await deps.store.write(
      endQueued,
      endpointId,
      "purge",
      PURGED,
      deps.clock.now(),
      PURGED_A_TURN,
    );
    removed += some;
    if (some < PURGED_A_TURN) return removed;
  }
}
