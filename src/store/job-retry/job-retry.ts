// The table `job_retry`.

import type { JobRetry, JobRetryFilter, JobRetryState } from "../../domain/job-retry/job-retry.ts";
import { topic } from "../engine/notifier.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

interface Row {
  id: string;
  account_id: string;
  filter: string;
  state: JobRetryState;
  last_seq: number;
  cursor_seq: number;
  total: number | null;
  retried: number;
  created_at: number;
  finished_at: number | null;
}

const fromRow = (found: Row): JobRetry => ({
  id: found.id,
  accountId: found.account_id,
  filter: JSON.parse(found.filter) as JobRetryFilter,
  state: found.state,
  lastSeq: found.last_seq,
  cursorSeq: found.cursor_seq,
  total: found.total,
  retried: found.retried,
  createdAt: found.created_at,
  finishedAt: found.finished_at,
});

export function* insertJobRetry(retry: JobRetry): Tx<void> {
  yield* change(
    `insert into job_retry (id, account_id, filter, state, last_seq, cursor_seq, retried, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    retry.id,
    retry.accountId,
    JSON.stringify(retry.filter),
    retry.state,
    retry.lastSeq,
    retry.cursorSeq,
    retry.retried,
    retry.createdAt,
  );
  yield* notify(topic.jobRetries);
}

export function* findJobRetry(id: string): Tx<JobRetry | undefined> {
  const found = yield* row<Row>("select * from job_retry where id = ?", id);
  return found && fromRow(found);
}

export function* lockJobRetry(id: string): Tx<JobRetry | undefined> {
  const found = yield* row<Row>("select * from job_retry where id = ? /*+ for update */", id);
  return found && fromRow(found);
}

/** The newest first. */
export function* listJobRetries(accountId: string, most: number): Tx<JobRetry[]> {
  const found = yield* rows<Row>(
    "select * from job_retry where account_id = ? order by created_at desc, id limit ?",
    accountId,
    most,
  );
  return found.map(fromRow);
}

/** Every running one, the oldest first. */
export function* runningJobRetries(): Tx<JobRetry[]> {
  const found = yield* rows<Row>(
    "select * from job_retry where state = 'RUNNING' order by created_at, id",
  );
  return found.map(fromRow);
}

export function* countRunningRetries(accountId: string): Tx<number> {
  const found = yield* row<{ n: number }>(
    "select count(*) as n from job_retry where account_id = ? and state = 'RUNNING'",
    accountId,
  );
  return found!.n;
}

export function* setRetryTotal(id: string, total: number): Tx<void> {
  yield* change("update job_retry set total = ? where id = ? and total is null", total, id);
}

/** Moves the cursor of a locked one. */
export function* advanceJobRetry(id: string, cursorSeq: number, retried: number): Tx<void> {
  yield* change(
    "update job_retry set cursor_seq = ?, retried = retried + ? where id = ?",
    cursorSeq,
    retried,
    id,
  );
}

/** False if it is not running. */
export function* endJobRetry(
  id: string,
  state: Exclude<JobRetryState, "RUNNING">,
  now: number,
): Tx<boolean> {
  const changed = yield* change(
    "update job_retry set state = ?, finished_at = ? where id = ? and state = 'RUNNING'",
    state,
    now,
    id,
  );
  return changed > 0;
}

export function* forgetJobRetries(before: number): Tx<void> {
  yield* change("delete from job_retry where finished_at < ?", before);
}
