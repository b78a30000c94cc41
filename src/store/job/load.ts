// How much an endpoint has to do: the numbers behind health and autoscaling. None of them counts a
// long queue.

import type { QueueLoad } from "../../domain/endpoint/fleet.ts";
import { row, rows, type Verb } from "../statement.ts";

export interface TallyRow {
  in_queue: number;
  in_progress: number;
  completed: number;
  failed: number;
  retried: number;
}

/** Jobs that ended, forgotten ones too. */
export interface EverRow {
  completed: number;
  failed: number;
}

export function* everOf(endpointId: string): Verb<EverRow> {
  const found = yield* row<EverRow>(
    `select coalesce(sum(ever_completed), 0) as completed, coalesce(sum(ever_failed), 0) as failed
     from tally where endpoint_id = ?`,
    endpointId,
  );
  return { completed: Number(found!.completed), failed: Number(found!.failed) };
}

export function* tallyOf(endpointId: string): Verb<TallyRow> {
  const found = yield* row<TallyRow>(
    `select coalesce(sum(in_queue), 0) as in_queue, coalesce(sum(in_progress), 0) as in_progress,
       coalesce(sum(completed), 0) as completed, coalesce(sum(failed), 0) as failed,
       coalesce(sum(retried), 0) as retried
     from tally where endpoint_id = ?`,
    endpointId,
  );
  return found!;
}

/** Beyond this many low-priority jobs the exact number no longer matters to anybody. */
const MOST_LOW = 10_000;
/** How far into one priority the oldest job that may scale is looked for. */
const DEEPEST = 1_000;

export function* queueLoad(endpointId: string): Verb<QueueLoad> {
  const counts = yield* tallyOf(endpointId);
  const low = yield* row<{ n: number }>(
    `select count(*) as n from (select 1 from job
       where endpoint_id = ? and state = 'IN_QUEUE' and low_priority = 1 limit ${MOST_LOW}) as low`,
    endpointId,
  );
  const waitingLowPriority = low?.n ?? 0;
  const held = yield* row<{ n: number }>(
    `select count(*) as n from job
     where state = 'IN_PROGRESS' and endpoint_id = ? and low_priority = 1`,
    endpointId,
  );
  const lowInProgress = held?.n ?? 0;
  const oldest = counts.in_queue > 0 ? yield* oldestWaiting(endpointId) : null;
  return {
    waiting: Math.max(0, counts.in_queue - waitingLowPriority),
    waitingLowPriority,
    oldestWaitingAt: oldest,
    inProgress: Math.max(0, counts.in_progress - lowInProgress),
    inProgressLowPriority: lowInProgress,
  };
}

/** The head of each priority in turn, since the order of dispatch is not the order of age. */
function* oldestWaiting(endpointId: string): Verb<number | null> {
  let below = Number.MAX_SAFE_INTEGER;
  let oldest: number | null = null;
  for (let level = 0; level < 20; level++) {
    const [head] = yield* rows<{ priority: number }>(
      `select priority from job where endpoint_id = ? and state = 'IN_QUEUE' and priority < ?
       order by priority desc limit 1`,
      endpointId,
      below,
    );
    if (!head) break;
    below = head.priority;
    // In the order of dispatch and no other: by seq alone, a planner may walk the whole table.
    const [first] = yield* rows<{ queued_at: number }>(
      `select queued_at from (select queued_at, low_priority, priority, seq from job
         where endpoint_id = ? and state = 'IN_QUEUE' and priority <= ?
         order by priority desc, seq limit ${DEEPEST}) as head
       where low_priority = 0 and priority = ? order by priority desc, seq limit 1`,
      endpointId,
      below,
      below,
    );
    if (first && (oldest === null || first.queued_at < oldest)) oldest = first.queued_at;
  }
  return oldest;
}
