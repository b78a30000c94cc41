// Inserts a job into its queue.

import type { NewJob } from "../../domain/job/job.ts";
import { initialState } from "../../domain/job/moves.ts";
import type { StoredText } from "../../domain/payload.ts";
import { change, type Tx } from "../engine/statement.ts";

/** `bytes` is what is stored of the job. */
export function* insertJob(job: NewJob, input: StoredText, bytes: number): Tx<void> {
  yield* change(
    `insert into job (id, endpoint_id, state, sync, priority, low_priority, submitted_at, queued_at,
       ttl_ms, ttl_at, execution_ms, keep_ms, failure_keep_ms, webhook, extras, input, input_payload,
       bytes)
     values (?, ?, '${initialState}', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    job.id,
    job.endpointId,
    job.sync ? 1 : 0,
    job.priority,
    job.lowPriority ? 1 : 0,
    job.now,
    job.now,
    job.ttlMs,
    job.now + job.ttlMs,
    job.executionMs,
    job.keepMs,
    job.failureKeepMs,
    job.webhook,
    job.extras,
    input.inline,
    input.payload,
    bytes,
  );
}
