// SQLite's side of group commit, and its reads. Statements run on the event loop; only the sync runs beside it.
// A read never shows what is not durable: it waits for the sync under way, or reads the state before it.

import type { Connection, NoteListener, TxCall } from "../connection.ts";
import type { Note, Step, Tx } from "../statement.ts";
import { isDiskFull, toFault } from "./faults.ts";
import type { RunQuery, SqlTransactions } from "./sql-transactions.ts";

const refuseNote = () => {
  throw new Error("a transaction that only reads tried to write");
};

export class SqliteConnection implements Connection {
  readonly slot = 0;
  readonly roundTrips = 0;
  readonly #db: SqlTransactions;
  readonly #onDiskFull: () => void;
  /** The transaction under way. Its changes must not be read yet. */
  #open: PromiseWithResolvers<void> | null = null;
  #syncing = false;
  /** True from a commit until its callers have their answers. */
  #unanswered = false;
  #needsRest = false;
  /** Reads that wait for the answers of the batch whose changes they may have seen. */
  #waitingReads: PromiseWithResolvers<void>[] = [];
  /** The error of a failed sync. What the disk lost is unknown until the next start, so nothing runs any more. */
  #syncError: Error | null = null;

  constructor(db: SqlTransactions, onDiskFull: () => void) {
    this.#db = db;
    this.#onDiskFull = onDiskFull;
  }

  begin(): void {
    if (this.#syncError) throw this.#syncError;
    this.#open = Promise.withResolvers();
    this.#db.begin();
  }

  run<C extends TxCall>(calls: readonly C[], note: NoteListener<C>): unknown[] {
    const results: unknown[] = [];
    for (const call of calls) {
      results.push(this.#drive(call.transaction(...call.args), (each) => note(call, each)));
      if (this.#db.isFull()) break;
    }
    return results;
  }

  get isFull(): boolean {
    return this.#db.isFull();
  }

  mark(): void {
    this.#db.mark();
  }

  keep(): void {
    this.#db.keep();
  }

  rollbackToMark(): boolean {
    return this.#db.rollbackToMark();
  }

  commit(last: Tx<unknown>[], durable: boolean): void | Promise<void> {
    for (const transaction of last) this.#drive(transaction, refuseNote);
    const mustSync = this.#db.commit(durable);
    this.#unanswered = true;
    this.#close();
    if (mustSync) return this.#sync();
  }

  rollback(): void {
    if (!this.#open) return;
    this.#db.rollback();
    this.#close();
  }

  finishBatch(): void | Promise<void> {
    this.#unanswered = false;
    const waiting = this.#waitingReads;
    this.#waitingReads = [];
    for (const read of waiting) {
      if (this.#syncError) read.reject(this.#syncError);
      else read.resolve();
    }
    if (!this.#needsRest) return;
    this.#needsRest = false;
    return new Promise((resolve) => this.#db.rest(resolve));
  }

  async read<Result>(transaction: Tx<Result>): Promise<Result> {
    // A listener that was notified inside a batch reads what the batch brings.
    const isNotified = this.#open !== null;
    while (this.#open) await this.#open.promise;
    if (this.#syncError) throw this.#syncError;
    const durableQuery = this.#syncing && !isNotified ? this.#db.durableQuery() : null;
    if (durableQuery) return this.#drive(transaction, refuseNote, durableQuery);
    const result = this.#drive(transaction, refuseNote);
    if (!this.#unanswered) return result;
    const answered = Promise.withResolvers<void>();
    this.#waitingReads.push(answered);
    await answered.promise;
    return result;
  }

  /** There is one writer, so nothing can conflict with it. */
  isConflict(): boolean {
    return false;
  }

  /** Nothing else holds a lock. */
  isBlocked(): boolean {
    return false;
  }

  /** A full disk can refuse one call and have room for another. */
  isOutage(): boolean {
    return false;
  }

  toFault(error: unknown): unknown {
    if (isDiskFull(error)) this.#onDiskFull();
    return toFault(error);
  }

  #sync(): Promise<void> {
    this.#syncing = true;
    this.#needsRest = true;
    return new Promise((resolve, reject) => {
      this.#db.sync((error) => {
        this.#syncing = false;
        this.#syncError = error;
        if (error) reject(error);
        else resolve();
      });
    });
  }

  #close(): void {
    this.#open?.resolve();
    this.#open = null;
  }

  #drive<Result>(
    transaction: Tx<Result>,
    note: (note: Note) => void,
    query: RunQuery = this.#db.query,
  ): Result {
    let step = transaction.next();
    while (!step.done) step = transaction.next(this.#runStep(step.value, note, query));
    return step.value;
  }

  #runStep(step: Step, note: (note: Note) => void, query: RunQuery): unknown {
    if ("sql" in step) return query(step.sql, step.params, step.rows);
    if ("together" in step) return step.together.map((each) => this.#drive(each, note, query));
    if ("soleWriter" in step) return true;
    note(step);
    return undefined;
  }
}
