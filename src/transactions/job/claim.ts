// Claims queued jobs for a worker.

import type { ClaimedJob } from "../../domain/job/job.ts";
import { recordCounts } from "../../store/endpoint/counts.ts";
import { recordDuration } from "../../store/endpoint/minutes.ts";
import { needsNoSync, sideBySide, type Tx } from "../../store/engine/statement.ts";
import { claimQueued } from "../../store/job/claim.ts";
import { deleteStop } from "../../store/job/stop.ts";
import { endWaits } from "../trace/job-spans.ts";

/** Claims up to `limit` jobs under a lease; none for a worker that takes no more. */
export const claimJobs = sideBySide(function* claimJobs(
  { endpointId, workerId }: { endpointId: string; workerId: string },
  limit: number,
  now: number,
  leaseMs: number,
): Tx<ClaimedJob[]> {
  // If a power failure undoes the claim, the job is in its queue as before and is handed out again.
  yield* needsNoSync();
  const claims = yield* claimQueued({ endpointId, workerId }, limit, now, now + leaseMs);
  if (claims.length === 0) return claims;
  for (const { id, attempts, queuedAt } of claims) {
    yield* recordDuration(endpointId, now, "delay", now - queuedAt);
    // A request to stop an earlier attempt must not stop this one.
    if (attempts > 1) yield* deleteStop(workerId, id);
  }
  yield* endWaits(claims, { endpointId, workerId, now });
  yield* recordCounts(endpointId, now, { in_queue: -claims.length, in_progress: claims.length });
  return claims;
});
