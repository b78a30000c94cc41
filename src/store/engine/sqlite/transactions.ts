// The transactions of SQLite's connection, on prepared statements.

import type { DatabaseSync } from "node:sqlite";
import { type Prepared, prepare } from "./prepare.ts";
import type { SqlTransactions } from "./sql-transactions.ts";

/** A transaction that writes more bytes of long texts than this would delay other requests: a commit takes 5 ms per MB. */
const MAX_BYTES = 1 << 20;

/** How commits become durable. */
export interface Durability extends Pick<SqlTransactions, "rest" | "durableQuery"> {
  /** Called before a transaction commits its changes; `bytes` is how much of long texts it wrote. */
  beforeCommit(bytes: number, durable: boolean): void;
  sync(bytes: number, done: (error: Error | null) => void): void;
}

export function sqliteTransactions(db: DatabaseSync, durability: Durability): SqlTransactions {
  let hasChanges = false;
  let bytes = 0;
  const prepared = new Map<string, Prepared & { isSelect: boolean }>();
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const rollback = db.prepare("rollback");
  const mark = db.prepare("savepoint call");
  const release = db.prepare("release call");
  const rollbackToMark = db.prepare("rollback to call");
  return {
    begin: () => {
      hasChanges = false;
      bytes = 0;
      begin.run();
    },
    commit: (durable) => {
      if (hasChanges) durability.beforeCommit(bytes, durable);
      commit.run();
      return hasChanges && durable;
    },
    sync: (done) => durability.sync(bytes, done),
    rest: durability.rest,
    durableQuery: durability.durableQuery,
    rollback: () => {
      if (db.isTransaction) rollback.run();
    },
    isFull: () => bytes > MAX_BYTES,
    mark: () => void mark.run(),
    keep: () => void release.run(),
    rollbackToMark: () => {
      if (!db.isTransaction) return false;
      rollbackToMark.run();
      release.run();
      return true;
    },
    query(sql, params, rows) {
      let known = prepared.get(sql);
      if (!known) {
        known = { ...prepare(db, sql), isSelect: /^\s*select\b/i.test(sql) };
        prepared.set(sql, known);
      }
      const { statement, all, isSelect } = known;
      for (const value of params) if (value instanceof Uint8Array) bytes += value.length;
      if (rows) {
        hasChanges ||= !isSelect;
        return all(params);
      }
      const changes = Number(statement.run(...(params as never[])).changes);
      hasChanges ||= changes > 0;
      return changes;
    },
  };
}
