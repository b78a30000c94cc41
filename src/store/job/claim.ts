// Hands queued jobs to a worker under a lease, in the order of dispatch: priority, then submission.

import type { StoredText } from "../payload.ts";
import { change, ring, row, rows, tally, tellEarly, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";
import { dropStop } from "./lease.ts";

export interface ClaimedJob {
  seq: number;
  id: string;
  input: StoredText;
  extras: string | null;
  webhook: string | null;
  retries: number;
}

interface Ready {
  attempts: number;
  seq: number;
  id: string;
  input: string | null;
  input_payload: string | null;
  extras: string | null;
  webhook: string | null;
  retries: number;
}

/**
 * Takes up to `most` jobs, unless the worker is given no more. The plus sign stands there because
 * SQLite plans a statement anew at every run when its limit is a bare parameter.
 */
export function* claimJobs(
  endpointId: string,
  workerId: string,
  most: number,
  now: number,
  leaseMs: number,
): Verb<ClaimedJob[] | "not_taking"> {
  const ready = yield* rows<Ready>(
    `select seq, id, input, input_payload, extras, webhook, retries, attempts from job
     where endpoint_id = ? and state = 'IN_QUEUE' and ttl_at > ?
     order by priority desc, seq limit +?`,
    endpointId,
    now,
    most,
  );
  const may = yield* row("select 1 from worker where id = ? and taking = 1", workerId);
  if (!may) return "not_taking";
  if (ready.length === 0) return [];
  for (const { seq, id, attempts } of ready) {
    yield* change(
      `update job set state = 'IN_PROGRESS', worker_id = ?, taken_at = ?, lease_until = ?,
         attempts = attempts + 1 where seq = ?`,
      workerId,
      now,
      now + leaseMs,
      seq,
    );
    // Told to stop an earlier run of it, the worker must not stop this one.
    if (attempts > 0) yield* dropStop(workerId, id);
    yield* ring(topic.job(id));
  }
  // Undone by a power cut, the job is in its queue as before and is handed out again.
  yield* tellEarly();
  yield* tally(endpointId, { in_queue: -ready.length, in_progress: ready.length });
  return ready.map(({ input, input_payload, attempts, ...job }) => ({
    ...job,
    input: { inline: input, payload: input_payload },
  }));
}
