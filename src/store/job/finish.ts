// Writes a worker's result into the job's row.

import type { BatchItem, Job } from "../../domain/job/job.ts";
import type { Concurrency } from "../../domain/job/schedule/concurrency.ts";
import type { StoredText } from "../../domain/payload.ts";
import { change, row, type Tx } from "../engine/statement.ts";
import { checked } from "../engine/text/checked.ts";
import { type ParamType, severalAtOnce } from "../engine/text/several.ts";
import { batchFrom, concurrencyFrom, JOB_COLUMNS, type JobRow, jobFromRow } from "./row.ts";
import { moveSql } from "./state-sql.ts";

export interface JobEnd {
  now: number;
  workerId: string;
  output: StoredText;
  /** Why the job failed; null where it completed. */
  error: string | null;
  /** The bytes of the output. */
  bytes: number;
}

export interface FinishedRow {
  seq: number;
  takenAt: number;
  webhook: string | null;
  concurrency: Concurrency | null;
  attempts: number;
  trace: string | null;
  batch: BatchItem | null;
  /** The job as it is now; null where it was not asked for. */
  job: Job | null;
}

const complete = moveSql("complete");
const fail = moveSql("fail");
const keepColumn = (move: typeof complete) => (move === fail ? "failure_keep_ms" : "keep_ms");

/** A failure under a retry policy has to be judged first. */
const unjudged = (move: typeof complete) => (move === fail ? " and retry is null" : "");

const FINISH_TYPES: ParamType[] = [
  ...(["bigint", "bigint", "text", "text", "text", "bigint"] as const),
  ...(["text", "text", "text"] as const),
];

const finishHeldSql = (move: typeof complete, columns: string) =>
  severalAtOnce(
    `
  update job set ${move.set}, finished_at = ?, forget_at = ? + ${keepColumn(move)}, output = ?,
    output_payload = ?, error = ?, bytes = bytes + ?
  where id = ? and ${checked("endpoint_id")} = ? and ${checked("worker_id")} = ? and ${move.check} and output_payload is null${unjudged(move)}
  returning ${columns}`,
    FINISH_TYPES,
  );

/** What every result needs of the row; the whole row is read only for a caller that waits for it. */
const FEW_COLUMNS =
  "seq, taken_at, webhook, attempts, trace, concurrency_key, concurrency_limit, batch_id, batch_index";
const finishHeldSqls = {
  complete: {
    few: finishHeldSql(complete, FEW_COLUMNS),
    all: finishHeldSql(complete, JOB_COLUMNS),
  },
  fail: { few: finishHeldSql(fail, FEW_COLUMNS), all: finishHeldSql(fail, JOB_COLUMNS) },
};

/**
 * Ends a job whose worker holds it and stored no long progress; undefined for any other, and for an error
 * under a retry policy.
 */
export function* finishHeld(
  { id, endpointId }: { id: string; endpointId: string },
  { now, workerId, output, error, bytes }: JobEnd,
  returnJob: boolean,
): Tx<FinishedRow | undefined> {
  const sqls = finishHeldSqls[error === null ? "complete" : "fail"];
  const found = yield* row<JobRow & { taken_at: number }>(
    returnJob ? sqls.all : sqls.few,
    now,
    now,
    output.inline,
    output.payload,
    error,
    bytes,
    id,
    endpointId,
    workerId,
  );
  if (!found) return undefined;
  const { seq, taken_at: takenAt, webhook, attempts, trace } = found;
  const concurrency = concurrencyFrom(found);
  const job = returnJob ? jobFromRow(found) : null;
  return { seq, takenAt, webhook, attempts, trace, concurrency, batch: batchFrom(found), job };
}

const finishSql = (move: typeof complete) => `
  update job set ${move.set}, finished_at = ?, forget_at = ?, output = ?, output_payload = ?,
    error = ?, bytes = bytes + ?, worker_id = ?, taken_at = coalesce(taken_at, ?)
  where seq = ? and ${move.check}`;
const finishSqls = { complete: finishSql(complete), fail: finishSql(fail) };

/** Ends a locked job by the result of any worker that may report it. */
export function* finishLocked(
  { seq, keepMs, failureKeepMs }: Pick<Job, "seq" | "keepMs" | "failureKeepMs">,
  { now, workerId, output, error, bytes }: JobEnd,
): Tx<void> {
  yield* change(
    finishSqls[error === null ? "complete" : "fail"],
    now,
    now + (error === null ? keepMs : failureKeepMs),
    output.inline,
    output.payload,
    error,
    bytes,
    workerId,
    now,
    seq,
  );
}
