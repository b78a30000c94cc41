// Puts a job into its queue.

import { bindText, type KeptText } from "../payload.ts";
import { change, ring, ringOne, sideBySide, tally, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";

export interface NewJob {
  id: string;
  endpointId: string;
  sync: boolean;
  priority: number;
  lowPriority: boolean;
  now: number;
  ttlMs: number;
  executionMs: number;
  keepMs: number;
  webhook: string | null;
  /** Further members of the job object that the worker is given, as JSON text, or null. */
  extras: string | null;
  input: KeptText;
}

export const submitJob = sideBySide(function* submitJob(job: NewJob): Verb<void> {
  const input = yield* bindText(job.input, job.now);
  yield* change(
    `insert into job (id, endpoint_id, state, sync, priority, low_priority, submitted_at, queued_at,
       ttl_ms, ttl_at, execution_ms, keep_ms, webhook, extras, input, input_payload)
     values (?, ?, 'IN_QUEUE', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    job.webhook,
    job.extras,
    input.inline,
    input.payload,
  );
  yield* tally(job.endpointId, job.now, { in_queue: 1 });
  yield* ringOne(topic.queue(job.endpointId));
  yield* ring(topic.fleet);
});
