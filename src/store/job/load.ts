// The load of an endpoint: the numbers behind health and autoscaling. No query here is O(queue length).

import type { QueueLoad } from "../../domain/endpoint/fleet.ts";
import type { JobCounts } from "../../domain/job/job.ts";
import { row, rows, type Tx } from "../engine/statement.ts";
import { DISPATCH_ORDER, QUEUED, QUEUED_OR_RUNNING, RUNNING } from "./state-sql.ts";

export function* jobCounts(endpointId: string): Tx<JobCounts> {
  const found = yield* row<JobCounts>(
    `select coalesce(sum(in_queue), 0) as "inQueue", coalesce(sum(delayed), 0) as delayed,
       coalesce(sum(in_progress), 0) as "inProgress",
       coalesce(sum(completed), 0) as completed, coalesce(sum(failed), 0) as failed,
       coalesce(sum(retried), 0) as retried
     from tally where endpoint_id = ?`,
    endpointId,
  );
  const { inQueue, delayed, inProgress, completed, failed, retried } = found!;
  return {
    inQueue: Number(inQueue),
    delayed: Number(delayed),
    inProgress: Number(inProgress),
    completed: Number(completed),
    failed: Number(failed),
    retried: Number(retried),
  };
}

/** Beyond this many low-priority jobs the exact number does not matter. */
const MAX_LOW_COUNTED = 10_000;
/** How many jobs of one priority are searched for the oldest that may add a worker. */
const MAX_SEARCHED = 1_000;

export function* queueLoad(endpointId: string): Tx<QueueLoad> {
  const counts = yield* jobCounts(endpointId);
  const waitingLowPriority = yield* lowPriorityJobs(endpointId, QUEUED);
  const lowInProgress = yield* lowPriorityJobs(endpointId, RUNNING);
  const oldest = counts.inQueue > 0 ? yield* oldestWaiting(endpointId) : null;
  return {
    waiting: Math.max(0, counts.inQueue - waitingLowPriority),
    waitingLowPriority,
    oldestWaitingAt: oldest,
    inProgress: Math.max(0, counts.inProgress - lowInProgress),
    inProgressLowPriority: lowInProgress,
  };
}

/** Also compares the state with both, because the index of these jobs is found by that text. */
function* lowPriorityJobs(endpointId: string, state: typeof QUEUED | typeof RUNNING): Tx<number> {
  const found = yield* row<{ n: number }>(
    `select count(*) as n from (select 1 from job where endpoint_id = ? and ${state}
       and low_priority = 1 and ${QUEUED_OR_RUNNING} limit ${MAX_LOW_COUNTED}) as low`,
    endpointId,
  );
  return found?.n ?? 0;
}

/** Looks at the head of each priority, because the order of dispatch is not the order of age. */
function* oldestWaiting(endpointId: string): Tx<number | null> {
  let below = Number.MAX_SAFE_INTEGER;
  let oldest: number | null = null;
  for (let level = 0; level < 20; level++) {
    const [head] = yield* rows<{ priority: number }>(
      `select priority from job where endpoint_id = ? and ${QUEUED} and priority < ?
       order by priority desc limit 1`,
      endpointId,
      below,
    );
    if (!head) break;
    below = head.priority;
    // Ordered as for dispatch: ordered by seq alone, a planner may scan the whole table.
    const [first] = yield* rows<{ queued_at: number }>(
      `select queued_at from (select queued_at, low_priority, priority, place, seq from job
         where endpoint_id = ? and ${QUEUED} and priority <= ?
         order by ${DISPATCH_ORDER} limit ${MAX_SEARCHED}) as head
       where low_priority = 0 and priority = ? order by ${DISPATCH_ORDER} limit 1`,
      endpointId,
      below,
      below,
    );
    if (first && (oldest === null || first.queued_at < oldest)) oldest = first.queued_at;
  }
  return oldest;
}
