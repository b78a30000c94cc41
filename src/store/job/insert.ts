// Inserts a job into its queue, or as one that enters it later.

import type { NewJob } from "../../domain/job/job.ts";
import { delayedState, initialState } from "../../domain/job/moves.ts";
import type { Hold } from "../../domain/job/schedule/concurrency.ts";
import { paceOf } from "../../domain/job/schedule/rate-limit.ts";
import type { StoredText } from "../../domain/payload.ts";
import { change, type Tx } from "../engine/statement.ts";
import { type ParamType, severalAtOnce } from "../engine/text/several.ts";

const COLUMNS: Record<string, ParamType> = {
  id: "text",
  endpoint_id: "text",
  state: "text",
  sync: "bigint",
  priority: "bigint",
  low_priority: "bigint",
  submitted_at: "bigint",
  queued_at: "bigint",
  start_at: "bigint",
  due_at: "bigint",
  ttl_ms: "bigint",
  ttl_at: "bigint",
  execution_ms: "bigint",
  keep_ms: "bigint",
  failure_keep_ms: "bigint",
  webhook: "text",
  retry: "text",
  extras: "text",
  trace: "text",
  input: "text",
  input_payload: "text",
  bytes: "bigint",
  concurrency_key: "text",
  concurrency_limit: "bigint",
  rate_key: "text",
  rate_pace: "text",
  held_by: "text",
  batch_id: "text",
  batch_index: "bigint",
};
const names = Object.keys(COLUMNS);
const INSERT = severalAtOnce(
  `insert into job (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`,
  Object.values(COLUMNS),
);

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
