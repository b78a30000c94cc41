// The port between group commit and a database: one connection that runs a batch's transaction. What a method
// does is done when it returns or, if it returns a promise, when that resolves.

import type { Note, Tx } from "./statement.ts";

/** A call of a transaction, waiting for its batch. */
export interface TxCall {
  readonly transaction: (...args: never[]) => Tx<unknown>;
  readonly args: never[];
}

export type NoteListener<C extends TxCall> = (call: C, note: Note) => void;

export interface Connection {
  /** Begins a transaction. Throws if there can be none now. With `waits` false, a locked row fails its call soon. */
  begin(options?: { waits?: boolean }): void | Promise<void>;
  /**
   * Runs calls inside the transaction and returns their results in order. If the transaction is full, it stops
   * early: the calls without a result belong in the next one. Throws the first failure.
   */
  run<C extends TxCall>(calls: readonly C[], note: NoteListener<C>): unknown[] | Promise<unknown[]>;
  /** True once the transaction has written so much that further calls belong in the next one. */
  readonly isFull: boolean;
  /** Sets a mark. What follows is either kept or rolled back to the mark. */
  mark(): void;
  keep(): void;
  /** Returns false if the failure ended the whole transaction. */
  rollbackToMark(): boolean;
  /** Runs the last transactions, of one statement each, and commits. `durable`: a power cut must not undo it. */
  commit(last: Tx<unknown>[], durable: boolean): void | Promise<void>;
  /** Rolls back, unless the transaction is over already. */
  rollback(): void | Promise<void>;
  /** The batch's callers have their answers. The next transaction may begin once this is done. */
  finishBatch(): void | Promise<void>;
  /** The rows of accumulators that this connection writes; replicas that share a slot wait for each other. */
  readonly slot: number;
  /** Round trips to the database server so far; 0 without a server. */
  readonly roundTrips: number;
  /** True if another writer got in the way, so that a second try can succeed. */
  isConflict(error: unknown): boolean;
  /** True if a lock that another transaction holds was not free in time. */
  isBlocked(error: unknown): boolean;
  /** True if the error says nothing about the call: any other call would fail as well. */
  isOutage(error: unknown): boolean;
  /** What callers get for an error of the database. */
  toFault(error: unknown): unknown;
}
