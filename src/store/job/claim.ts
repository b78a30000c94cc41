// Hands queued jobs to a worker under a lease, in the order of dispatch: priority, then submission.

import type { StoredText } from "../payload.ts";
import { lasted, needsNoSync, row, rows, sideBySide, tally, type Verb } from "../statement.ts";
import { dropStop } from "./lease.ts";

export interface ClaimedJob {
  seq: number;
  id: string;
  input: StoredText;
  extras: string | null;
  webhook: string | null;
  retries: number;
}

/** Why a worker is given nothing: no job waits, it takes no more, or it is on its way out. */
export type Standing = "none_waiting" | "not_taking" | "ending";

interface Taken extends Omit<ClaimedJob, "input"> {
  priority: number;
  input: string | null;
  input_payload: string | null;
  attempts: number;
  queued_at: number;
}

/** Takes up to `most` jobs, unless the worker is given no more. */
export const claimJobs = sideBySide(function* claimJobs(
  endpointId: string,
  workerId: string,
  most: number,
  now: number,
  leaseMs: number,
): Verb<ClaimedJob[] | Standing> {
  // Undone by a power cut, the job is in its queue as before and is handed out again.
  yield* needsNoSync();
  const taken = yield* rows<Taken>(
    claimSql(most),
    workerId,
    now,
    now + leaseMs,
    endpointId,
    now,
    workerId,
  );
  if (taken.length === 0) return yield* standingOf(workerId);
  if (taken.length > 1) taken.sort((a, b) => b.priority - a.priority || a.seq - b.seq);
  for (const { id, attempts, queued_at } of taken) {
    yield* lasted(endpointId, now, "delay", now - queued_at);
    // Told to stop an earlier run of it, the worker must not stop this one.
    if (attempts > 1) yield* dropStop(workerId, id);
  }
  yield* tally(endpointId, now, { in_queue: -taken.length, in_progress: taken.length });
  return taken.map(({ seq, id, input, input_payload, extras, webhook, retries }) => ({
    seq,
    id,
    input: { inline: input, payload: input_payload },
    extras,
    webhook,
    retries,
  }));
});

export function* standingOf(workerId: string): Verb<Standing> {
  const found = yield* row<{ taking: number; observed: string; signalled_at: number | null }>(
    "select taking, observed, signalled_at from worker where id = ?",
    workerId,
  );
  if (!found || found.observed === "ended" || found.signalled_at !== null) return "ending";
  return found.taking === 1 ? "none_waiting" : "not_taking";
}

const claims = new Map<number, string>();

/**
 * One statement, so that nobody can come between the look and the claim. Its limit stands in the
 * text: as a parameter it would be planned anew each time, or for any number.
 */
function claimSql(most: number): string {
  let sql = claims.get(most);
  if (!sql) {
    sql = `
      update job set state = 'IN_PROGRESS', worker_id = ?, taken_at = ?, lease_until = ?,
        attempts = attempts + 1
      where seq ${most === 1 ? "=" : "in"} (
          select seq from job where endpoint_id = ? and state = 'IN_QUEUE' and ttl_at > ?
          order by priority desc, seq limit ${most} /*+ for update skip locked */)
        and exists (select 1 from worker where id = ? and taking = 1)
      returning seq, id, priority, input, input_payload, extras, webhook, retries, attempts,
        queued_at`;
    claims.set(most, sql);
  }
  return sql;
}
