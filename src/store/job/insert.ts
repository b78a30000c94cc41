// Inserts a job into its queue, or as one that enters it later.

import type { NewJob } from "../../domain/job/job.ts";
import { delayedState, initialState } from "../../domain/job/moves.ts";
import type { Hold } from "../../domain/job/schedule/concurrency.ts";
import { paceOf } from "../../domain/job/schedule/rate-limit.ts";
import type { StoredText } from "../../domain/payload.ts";
import { change, type Tx } from "../engine/statement.ts";

const INSERT = `
  insert into job (id, endpoint_id, state, sync, priority, low_priority, submitted_at, queued_at,
    start_at, due_at, ttl_ms, ttl_at, execution_ms, keep_ms, failure_keep_ms, webhook, retry, extras,
    trace, input, input_payload, bytes, concurrency_key, concurrency_limit, rate_key,
    rate_pace, held_by, batch_id, batch_index)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/**
 * Its time to live counts from the instant at which it may run. `heldBy` is what holds a job that has no later start,
 * and `bytes` what is stored of it.
 */
export function* insertJob(
  job: NewJob,
  { input, bytes, heldBy }: { input: StoredText; bytes: number; heldBy: Hold | null },
): Tx<void> {
  const { startAt, concurrency, rateLimit } = job;
  const state = startAt === null && heldBy === null ? initialState : delayedState;
  const queuedAt = startAt ?? job.now;
  yield* change(
    INSERT,
    job.id,
    job.endpointId,
    state,
    job.sync ? 1 : 0,
    job.priority,
    job.lowPriority ? 1 : 0,
    job.now,
    queuedAt,
    startAt,
    startAt,
    job.ttlMs,
    queuedAt + job.ttlMs,
    job.executionMs,
    job.keepMs,
    job.failureKeepMs,
    job.webhook,
    job.retry && JSON.stringify(job.retry),
    job.extras,
    job.trace,
    input.inline,
    input.payload,
    bytes,
    concurrency?.key ?? null,
    concurrency?.limit ?? null,
    rateLimit?.key ?? null,
    rateLimit && JSON.stringify(paceOf(rateLimit)),
    heldBy,
    job.batch?.batchId ?? null,
    job.batch?.index ?? null,
  );
}
