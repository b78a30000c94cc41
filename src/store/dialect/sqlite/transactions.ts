// The transactions of SQLite's connection, as turns use them.

import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Transactions } from "../../transactions.ts";

/** Long texts of more bytes than this, one after another, would keep other requests waiting. */
const ROOM_BYTES = 4 << 20;

export interface Durability {
  /** A transaction changed something; of long texts it has written so many bytes. */
  beforeCommit(bytes: number, toSync: boolean): void;
  sync(bytes: number, done: (error: Error | null) => void): void;
  rest: Transactions["rest"];
  durable: Transactions["durable"];
}

export function sqliteTransactions(db: DatabaseSync, durability: Durability): Transactions {
  let changed = false;
  let bytes = 0;
  const prepared = new Map<string, { statement: StatementSync; reads: boolean }>();
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const rollback = db.prepare("rollback");
  const mark = db.prepare("savepoint call");
  const keep = db.prepare("release call");
  const back = db.prepare("rollback to call");
  return {
    begin: () => {
      changed = false;
      bytes = 0;
      begin.run();
    },
    commit: (toSync) => {
      if (changed) durability.beforeCommit(bytes, toSync);
      commit.run();
      return changed && toSync;
    },
    sync: (done) => durability.sync(bytes, done),
    rest: durability.rest,
    durable: durability.durable,
    rollback: () => {
      if (db.isTransaction) rollback.run();
    },
    full: () => bytes > ROOM_BYTES,
    mark: () => void mark.run(),
    keep: () => void keep.run(),
    takeBack: () => {
      if (!db.isTransaction) return false;
      back.run();
      keep.run();
      return true;
    },
    query(sql, params, rows) {
      let known = prepared.get(sql);
      if (!known) {
        known = { statement: db.prepare(sql), reads: /^\s*select\b/i.test(sql) };
        prepared.set(sql, known);
      }
      const { statement, reads } = known;
      for (const value of params) if (value instanceof Uint8Array) bytes += value.length;
      if (rows) {
        changed ||= !reads;
        return statement.all(...(params as never[]));
      }
      const changes = Number(statement.run(...(params as never[])).changes);
      changed ||= changes > 0;
      return changes;
    },
  };
}
