// A job as it stands in the store, without its input.

import type { JobState } from "../../domain/job/moves.ts";

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
  forget_at: number | null;
  webhook: string | null;
  worker_id: string | null;
  taken_at: number | null;
  lease_until: number | null;
  attempts: number;
  retries: number;
  finished_at: number | null;
  output: string | null;
  output_payload: string | null;
  error: string | null;
  chunks: number;
  drained: number;
}

export const JOB_COLUMNS = `seq, id, endpoint_id, state, sync, priority, low_priority, submitted_at,
  queued_at, ttl_at, execution_ms, keep_ms, forget_at, webhook, worker_id, taken_at, lease_until,
  attempts, retries, finished_at, output, output_payload, error, chunks, drained`;

/** The same where another table stands beside it. */
export const QUALIFIED_JOB_COLUMNS = JOB_COLUMNS.replace(/\w+/g, "job.$&");
