// PostgreSQL's side of group commit: a transaction in few round trips, and what its errors mean.

import type { Connection, NoteListener, TxCall } from "../connection.ts";
import { isSideBySide, type Tx } from "../statement.ts";
import { interleave, type Trips } from "./interleave.ts";
import { Transaction } from "./transaction.ts";
import type { PersistentConnection } from "./wire/persistent-connection.ts";
import type { PostgresSession } from "./wire/session.ts";
import { toFault, verdictOf } from "./wire/verdict.ts";

/** Replicas write accumulators to different rows, so that none waits for another's transaction. */
const SLOTS = 16;

export class PostgresConnection implements Connection {
  /** A round trip costs more than a large transaction. */
  readonly isFull = false;
  readonly #connection: PersistentConnection;
  #session: PostgresSession | null = null;
  #transaction: Transaction | null = null;
  /** Round trips of the sessions before this one. */
  #earlierTrips = 0;

  constructor(connection: PersistentConnection) {
    this.#connection = connection;
  }

  async begin({ waits = true } = {}): Promise<void> {
    this.#transaction = null;
    const session = await this.#connection.session();
    if (session !== this.#session) {
      this.#earlierTrips = this.roundTrips;
      this.#session = session;
    }
    this.#transaction = new Transaction(session, waits);
  }

  run<C extends TxCall>(calls: readonly C[], note: NoteListener<C>): Promise<unknown[]> {
    return this.#transaction!.run(runCalls(calls, note));
  }

  mark(): void {
    this.#transaction!.mark();
  }

  keep(): void {
    this.#transaction!.keep();
  }

  rollbackToMark(): boolean {
    this.#transaction!.rollbackToMark();
    return true;
  }

  /** The server syncs its disk before it answers; `synchronous_commit` is always on. */
  async commit(last: Tx<unknown>[]): Promise<void> {
    await this.#transaction!.commit(last);
  }

  async rollback(): Promise<void> {
    await this.#transaction?.rollback();
  }

  finishBatch(): void {}

  get slot(): number {
    return this.#session!.pid % SLOTS;
  }

  get roundTrips(): number {
    return this.#earlierTrips + (this.#session?.roundTrips ?? 0);
  }

  /** A session that did not suit a statement is as good as a conflict: nothing was done, and the next one may suit. */
  isConflict(error: unknown): boolean {
    const verdict = verdictOf(error);
    return verdict === "retry" || verdict === "reopen";
  }

  isOutage(error: unknown): boolean {
    const verdict = verdictOf(error);
    return verdict === "cut" || verdict === "away";
  }

  isBlocked(error: unknown): boolean {
    return verdictOf(error) === "blocked";
  }

  toFault(error: unknown): unknown {
    return toFault(error);
  }
}

/** Concurrent transactions in a row share their round trips; every other one waits for those before it. */
function* runCalls<C extends TxCall>(calls: readonly C[], note: NoteListener<C>): Trips<unknown[]> {
  const results: unknown[] = [];
  while (results.length < calls.length) {
    const group = [calls[results.length]!];
    while (isSideBySide(group[0]!.transaction)) {
      const next = calls[results.length + group.length];
      if (!next || !isSideBySide(next.transaction)) break;
      group.push(next);
    }
    const transactions = group.map(({ transaction, args }) => transaction(...args));
    results.push(...(yield* interleave(transactions, (each, n) => note(group[n]!, each))));
  }
  return results;
}
