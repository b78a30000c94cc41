// Pods that should not run, with a container that was seen running last and whose end nothing can report: their machine
// is lost, has stopped or is forgotten, or has no such driver any more.

import { row, rows, type Tx } from "../engine/statement.ts";

/** Holds in `POD_AND_REPLICA`. */
export const END_UNSEEN = `pod.observed = 'running' and (replica.machine is null or replica.lost_at is not null
  or replica.stopped_at is not null or ',' || replica.drivers || ',' not like '%,' || pod.driver || ',%')`;

export const POD_AND_REPLICA = "pod left join replica on replica.machine = pod.machine";

/** Whether its container was seen running last, and nothing can report when it ends. */
export function* isEndUnseen(id: string): Tx<boolean> {
  const found = yield* row(
    `select 1 as one from ${POD_AND_REPLICA} where pod.id = ? and ${END_UNSEEN}`,
    id,
  );
  return found !== undefined;
}

/** The ids of those that are still billed for their container. SQLite would not use the index `pod_unwanted` with an order. */
export function* billedUnseen(): Tx<string[]> {
  const found = yield* rows<{ id: string }>(
    `select pod.id from ${POD_AND_REPLICA} join usage on usage.resource_id = pod.id and usage.ended_at is null and usage.running = 1
     where pod.state <> 'RUNNING' and ${END_UNSEEN}`,
  );
  return found.map(({ id }) => id).sort();
}

/** The last instant at which its machine could have reported an end; null if that is not known. */
export function* lastReportOf(machine: string): Tx<number | null> {
  const found = yield* row<{ at: number | null }>(
    `select coalesce(stopped_at, seen_at) as at from replica
     where machine = ? and (stopped_at is not null or lost_at is not null)`,
    machine,
  );
  return found?.at ?? null;
}
