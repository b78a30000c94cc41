// The table `job_operation`.

import type { JobFilter } from "../../domain/job/job-filter.ts";
import type {
  JobAction,
  JobOperation,
  JobOperationState,
} from "../../domain/job-operation/job-operation.ts";
import { topic } from "../engine/notifier.ts";
import { columnList } from "../engine/row/column-list.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

interface Row {
  id: string;
  account_id: string;
  action: JobAction;
  filter: string;
  state: JobOperationState;
  last_seq: number;
  cursor_seq: number;
  total: number | null;
  done: number;
  created_at: number;
  finished_at: number | null;
}

const COLUMNS = columnList<Row>()(
  "id",
  "account_id",
  "action",
  "filter",
  "state",
  "last_seq",
  "cursor_seq",
  "total",
  "done",
  "created_at",
  "finished_at",
);

type Named = Pick<JobOperation, "id" | "accountId">;

const fromRow = (found: Row): JobOperation => ({
  id: found.id,
  accountId: found.account_id,
  action: found.action,
  filter: JSON.parse(found.filter) as JobFilter,
  state: found.state,
  lastSeq: found.last_seq,
  cursorSeq: found.cursor_seq,
  total: found.total,
  done: found.done,
  createdAt: found.created_at,
  finishedAt: found.finished_at,
});

export function* insertJobOperation(operation: JobOperation): Tx<void> {
  yield* change(
    `insert into job_operation (id, account_id, action, filter, state, last_seq, cursor_seq, done, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    operation.id,
    operation.accountId,
    operation.action,
    JSON.stringify(operation.filter),
    operation.state,
    operation.lastSeq,
    operation.cursorSeq,
    operation.done,
    operation.createdAt,
  );
  yield* notify(topic.jobOperations);
  yield* notifyChange(operation);
}

export function* findJobOperation(id: string): Tx<JobOperation | undefined> {
  const found = yield* row<Row>(`select ${COLUMNS} from job_operation where id = ?`, id);
  return found && fromRow(found);
}

export function* lockJobOperation(id: string): Tx<JobOperation | undefined> {
  const found = yield* row<Row>(
    `select ${COLUMNS} from job_operation where id = ? /*+ for update */`,
    id,
  );
  return found && fromRow(found);
}

/** The newest first. */
export function* listJobOperations(accountId: string, limit: number): Tx<JobOperation[]> {
  const found = yield* rows<Row>(
    `select ${COLUMNS} from job_operation where account_id = ? order by created_at desc, id limit ?`,
    accountId,
    limit,
  );
  return found.map(fromRow);
}

/** Every running one, the oldest first. */
export function* runningJobOperations(): Tx<JobOperation[]> {
  const found = yield* rows<Row>(
    `select ${COLUMNS} from job_operation where state = 'RUNNING' order by created_at, id`,
  );
  return found.map(fromRow);
}

export function* countRunningOperations(accountId: string): Tx<number> {
  const found = yield* row<{ n: number }>(
    "select count(*) as n from job_operation where account_id = ? and state = 'RUNNING'",
    accountId,
  );
  return found!.n;
}

export function* setTotal(operation: Named, total: number): Tx<void> {
  const { id } = operation;
  yield* change("update job_operation set total = ? where id = ? and total is null", total, id);
  yield* notifyChange(operation);
}

/** Moves the cursor of a locked one. */
export function* advanceJobOperation(operation: Named, cursorSeq: number, done: number): Tx<void> {
  yield* change(
    "update job_operation set cursor_seq = ?, done = done + ? where id = ?",
    cursorSeq,
    done,
    operation.id,
  );
  yield* notifyChange(operation);
}

/** False if it is not running. */
export function* endJobOperation(
  operation: Named,
  state: Exclude<JobOperationState, "RUNNING">,
  now: number,
): Tx<boolean> {
  const changed = yield* change(
    "update job_operation set state = ?, finished_at = ? where id = ? and state = 'RUNNING'",
    state,
    now,
    operation.id,
  );
  yield* notifyChange(operation);
  return changed > 0;
}

export function* forgetJobOperations(before: number): Tx<void> {
  yield* change("delete from job_operation where finished_at < ?", before);
}

function* notifyChange({ accountId, id }: Named): Tx<void> {
  yield* notify(topic.changed(accountId, "jobOperation", id));
}
