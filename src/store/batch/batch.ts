// The table `batch`.

import type { Batch, BatchCounts, BatchState, EndCounts } from "../../domain/batch/batch.ts";
import type { StoredText } from "../../domain/payload.ts";
import { topic } from "../engine/notifier.ts";
import { columnList } from "../engine/row/column-list.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

interface Row {
  seq: number;
  id: string;
  account_id: string;
  endpoint_id: string;
  state: BatchState;
  total: number;
  submitted: number;
  items: string | null;
  items_payload: string | null;
  bytes: number;
  webhook: string | null;
  trace: string | null;
  reason: string | null;
  created_at: number;
  finished_at: number | null;
  deleted_completed: number;
  deleted_failed: number;
  deleted_cancelled: number;
  deleted_timed_out: number;
  end_counts: string | null;
}

const COLUMNS = columnList<Row>()(
  "seq",
  "id",
  "account_id",
  "endpoint_id",
  "state",
  "total",
  "submitted",
  "items",
  "items_payload",
  "bytes",
  "webhook",
  "trace",
  "reason",
  "created_at",
  "finished_at",
  "deleted_completed",
  "deleted_failed",
  "deleted_cancelled",
  "deleted_timed_out",
  "end_counts",
);

const fromRow = (found: Row): Batch => ({
  seq: found.seq,
  id: found.id,
  accountId: found.account_id,
  endpointId: found.endpoint_id,
  state: found.state,
  total: found.total,
  submitted: found.submitted,
  items: { inline: found.items, payload: found.items_payload },
  bytes: Number(found.bytes),
  webhook: found.webhook,
  trace: found.trace,
  reason: found.reason,
  createdAt: found.created_at,
  finishedAt: found.finished_at,
  deleted: {
    COMPLETED: found.deleted_completed,
    FAILED: found.deleted_failed,
    CANCELLED: found.deleted_cancelled,
    TIMED_OUT: found.deleted_timed_out,
  },
  endCounts: found.end_counts === null ? null : JSON.parse(found.end_counts),
});

export type NewBatch = Pick<
  Batch,
  "id" | "accountId" | "endpointId" | "total" | "bytes" | "webhook" | "trace" | "createdAt"
>;

export function* insertBatch(batch: NewBatch, items: StoredText): Tx<void> {
  yield* change(
    `insert into batch (id, account_id, endpoint_id, state, total, submitted, items, items_payload, bytes, webhook,
       trace, created_at) values (?, ?, ?, 'PENDING', ?, 0, ?, ?, ?, ?, ?, ?)`,
    batch.id,
    batch.accountId,
    batch.endpointId,
    batch.total,
    items.inline,
    items.payload,
    batch.bytes,
    batch.webhook,
    batch.trace,
    batch.createdAt,
  );
  yield* notify(topic.batches);
  yield* notifyBatch(batch);
}

export function* findBatch(id: string): Tx<Batch | undefined> {
  const found = yield* row<Row>(`select ${COLUMNS} from batch where id = ?`, id);
  return found && fromRow(found);
}

export function* findBatchBySeq(seq: number): Tx<Batch | undefined> {
  const found = yield* row<Row>(`select ${COLUMNS} from batch where seq = ?`, seq);
  return found && fromRow(found);
}

export function* lockBatch(id: string): Tx<Batch | undefined> {
  const found = yield* row<Row>(`select ${COLUMNS} from batch where id = ? /*+ for update */`, id);
  return found && fromRow(found);
}

/** The newest first. */
export function* listBatches(
  accountId: string,
  endpointId: string | null,
  limit: number,
): Tx<Batch[]> {
  const found = yield* rows<Row>(
    `select ${COLUMNS} from batch where account_id = ? and (cast(? as text) is null or endpoint_id = ?)
     order by seq desc limit ?`,
    accountId,
    endpointId,
    endpointId,
    limit,
  );
  return found.map(fromRow);
}

/** The oldest first. */
export function* unfinishedBatches(): Tx<Batch[]> {
  const found = yield* rows<Row>(
    `select ${COLUMNS} from batch where finished_at is null order by seq`,
  );
  return found.map(fromRow);
}

export function* countUnfinished(accountId: string): Tx<number> {
  const found = yield* row<{ n: number }>(
    "select count(*) as n from batch where account_id = ? and finished_at is null",
    accountId,
  );
  return Number(found!.n);
}

/** The batch must be locked. */
export function* setSubmitted(batch: Batch, submitted: number): Tx<void> {
  yield* change("update batch set submitted = ? where seq = ?", submitted, batch.seq);
  yield* notifyBatch(batch);
}

/** Moves a locked batch on; no item is left to submit. */
export function* setBatchState(
  batch: Batch,
  state: Exclude<BatchState, "PENDING">,
  { reason, finishedAt }: Pick<Batch, "reason" | "finishedAt">,
): Tx<void> {
  yield* change(
    `update batch set state = ?, reason = ?, finished_at = ?, items = null, items_payload = null
     where seq = ?`,
    state,
    reason,
    finishedAt,
    batch.seq,
  );
  yield* notify(topic.batches);
  yield* notifyBatch(batch);
}

/** The batch must be locked, and all its jobs ended. */
export function* setEndCounts({ seq }: Batch, counts: BatchCounts): Tx<void> {
  yield* change("update batch set end_counts = ? where seq = ?", JSON.stringify(counts), seq);
}

/** Has the jobs of a batch counted from now on. Waits for a commit that ends the batch. */
export function* dropEndCounts(id: string): Tx<void> {
  const found = yield* row<{ end_counts: string | null }>(
    "select end_counts from batch where id = ? /*+ for update */",
    id,
  );
  if (found?.end_counts) yield* change("update batch set end_counts = null where id = ?", id);
}

const DELETED_COLUMNS: Record<keyof EndCounts, string> = {
  COMPLETED: "deleted_completed",
  FAILED: "deleted_failed",
  CANCELLED: "deleted_cancelled",
  TIMED_OUT: "deleted_timed_out",
};

/** Counts a job that is deleted, so that the counts of its batch stay what they were. */
export function* countDeleted(id: string, state: keyof EndCounts): Tx<void> {
  const column = DELETED_COLUMNS[state];
  yield* change(`update batch set ${column} = ${column} + 1 where id = ?`, id);
}

/** Finished batches, locked; the longest finished first. */
export function* lockOldBatches(before: number, limit: number): Tx<Batch[]> {
  const found = yield* rows<Row>(
    `select ${COLUMNS} from batch where finished_at < ? order by finished_at limit ?
     /*+ for update skip locked */`,
    before,
    limit,
  );
  return found.map(fromRow);
}

export function* deleteBatch(seq: number): Tx<void> {
  yield* change("delete from batch where seq = ?", seq);
}

export function* notifyBatch({ accountId, id }: Pick<Batch, "accountId" | "id">): Tx<void> {
  yield* notify(topic.changed(accountId, "batch", id));
}
