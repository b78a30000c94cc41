// A job's row, without its input, and the Job it stands for.

import type { BatchItem, Job } from "../../domain/job/job.ts";
import type { JobState } from "../../domain/job/moves.ts";
import type { RetryPolicy } from "../../domain/job/retry-policy.ts";
import type { Concurrency, Hold } from "../../domain/job/schedule/concurrency.ts";
import type { Pace, RateLimit } from "../../domain/job/schedule/rate-limit.ts";

export interface JobRow {
  seq: number;
  id: string;
  endpoint_id: string;
  state: JobState;
  sync: number;
  priority: number;
  low_priority: number;
  submitted_at: number;
  queued_at: number;
  ttl_at: number;
  execution_ms: number;
  keep_ms: number;
  failure_keep_ms: number;
  forget_at: number | null;
  webhook: string | null;
  worker_id: string | null;
  taken_at: number | null;
  lease_until: number | null;
  attempts: number;
  retries: number;
  retry: string | null;
  start_at: number | null;
  due_at: number | null;
  ended_workers: number;
  concurrency_key: string | null;
  concurrency_limit: number | null;
  rate_key: string | null;
  rate_pace: string | null;
  held_by: Hold | null;
  place: number | null;
  archived_until: number | null;
  finished_at: number | null;
  output: string | null;
  output_payload: string | null;
  error: string | null;
  chunks: number;
  drained: number;
  trace: string | null;
  batch_id: string | null;
  batch_index: number | null;
}

export const JOB_COLUMNS = `seq, id, endpoint_id, state, sync, priority, low_priority, submitted_at,
  queued_at, ttl_at, execution_ms, keep_ms, failure_keep_ms, forget_at, webhook, worker_id, taken_at, lease_until,
  attempts, retries, retry, start_at, due_at, ended_workers, concurrency_key, concurrency_limit, rate_key, rate_pace,
  held_by, place, archived_until, finished_at, output, output_payload, error, chunks, drained, trace,
  batch_id, batch_index`;

/** The columns of a job beside those of another table. */
export const QUALIFIED_JOB_COLUMNS = JOB_COLUMNS.replace(/\w+/g, "job.$&");

/** Every statement that moves a job sets the fields of its new state, so none of them is null here. */
export function jobFromRow(row: JobRow): Job {
  const submitted = submittedFields(row);
  if (row.state === "IN_QUEUE") {
    return { ...submitted, state: row.state, workerId: null, takenAt: null };
  }
  if (row.state === "DELAYED") {
    const waiting = { ...submitted, state: row.state, workerId: null, takenAt: null };
    if (row.held_by !== null) return { ...waiting, heldBy: row.held_by, dueAt: null };
    return { ...waiting, heldBy: null, dueAt: row.due_at! };
  }
  const output = { inline: row.output, payload: row.output_payload };
  const dispatched = { workerId: row.worker_id!, takenAt: row.taken_at! };
  if (row.state === "IN_PROGRESS") {
    return { ...submitted, state: row.state, ...dispatched, leaseUntil: row.lease_until!, output };
  }
  const ended = {
    ...submitted,
    finishedAt: row.finished_at!,
    forgetAt: row.forget_at!,
    archivedUntil: row.archived_until,
    output,
  };
  if (row.state === "COMPLETED") return { ...ended, state: row.state, ...dispatched };
  const error = row.error!;
  if (row.state === "FAILED") return { ...ended, state: row.state, ...dispatched, error };
  const wasDispatched = row.worker_id !== null;
  const dispatch = wasDispatched ? dispatched : { workerId: null, takenAt: null };
  return { ...ended, state: row.state, ...dispatch, error };
}

function submittedFields(row: JobRow) {
  return {
    seq: row.seq,
    id: row.id,
    endpointId: row.endpoint_id,
    sync: row.sync === 1,
    priority: row.priority,
    lowPriority: row.low_priority === 1,
    submittedAt: row.submitted_at,
    queuedAt: row.queued_at,
    ttlAt: row.ttl_at,
    executionMs: row.execution_ms,
    keepMs: row.keep_ms,
    failureKeepMs: row.failure_keep_ms,
    webhook: row.webhook,
    attempts: row.attempts,
    startAt: row.start_at,
    retries: row.retries,
    retry: retryFrom(row.retry),
    endedWorkers: row.ended_workers,
    concurrency: concurrencyFrom(row),
    rateLimit: rateLimitFrom(row),
    place: row.place ?? row.seq,
    chunks: row.chunks,
    chunksDelivered: row.drained,
    trace: row.trace,
    batch: batchFrom(row),
  };
}

/** The key of a row, and the limit that the job named for it. */
export function concurrencyFrom(
  row: Pick<JobRow, "concurrency_key" | "concurrency_limit">,
): Concurrency | null {
  const { concurrency_key: key, concurrency_limit: limit } = row;
  return key === null || limit === null ? null : { key, limit };
}

export function rateLimitFrom(row: Pick<JobRow, "rate_key" | "rate_pace">): RateLimit | null {
  const { rate_key: key, rate_pace: pace } = row;
  return key === null || pace === null ? null : { key, ...(JSON.parse(pace) as Pace) };
}

export function batchFrom(row: Pick<JobRow, "batch_id" | "batch_index">): BatchItem | null {
  const { batch_id: batchId, batch_index: index } = row;
  return batchId === null || index === null ? null : { batchId, index };
}

export const retryFrom = (text: string | null): RetryPolicy | null =>
  text === null ? null : (JSON.parse(text) as RetryPolicy);
