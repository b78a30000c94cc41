// A transaction on one session, in few round trips. Statements whose answers nothing depends on (begin,
// savepoints) wait for the next queries and travel with them.

import { change, type Query, type Tx } from "../statement.ts";
import { interleave, type Trips } from "./interleave.ts";
import { merge } from "./merge.ts";
import type { PostgresSession } from "./wire/session.ts";

const plain = (sql: string): Query => ({ sql, params: [], rows: false });
const BEGIN = plain("begin isolation level read committed read write");
/** Long enough for a lock that another transaction holds in passing. */
const BRIEF_LOCKS = plain("set local lock_timeout = 25");
const MARK = plain("savepoint call");
const RELEASE = plain("release savepoint call");
const ROLLBACK_TO_MARK = plain("rollback to savepoint call");
const ROLLBACK = plain("rollback");

export class Transaction {
  readonly #session: PostgresSession;
  /** To be sent ahead of the next queries. */
  #pending: Query[];
  #hasBegun = false;

  /** With `waits` false, a statement waits for a lock only briefly. */
  constructor(session: PostgresSession, waits = true) {
    this.#session = session;
    this.#pending = waits ? [BEGIN] : [BEGIN, BRIEF_LOCKS];
  }

  async run<Result>(trips: Trips<Result>): Promise<Result> {
    let trip = trips.next();
    while (!trip.done) trip = trips.next(await this.#send(trip.value));
    return trip.value;
  }

  /** Sets a mark. What follows is either kept or rolled back to the mark. */
  mark(): void {
    this.#pending.push(MARK);
  }

  keep(): void {
    this.#pending.push(RELEASE);
  }

  rollbackToMark(): void {
    // The queries that failed ended their round trip, so the mark is the last thing the server has done.
    this.#pending.push(ROLLBACK_TO_MARK, RELEASE);
  }

  /** Runs the last transactions, of one query each, and commits, in one round trip. */
  async commit(last: Tx<unknown>[]): Promise<void> {
    if (!this.#hasBegun && last.length === 0) return;
    await this.run(interleave([...last, change("commit")], () => {}));
  }

  async rollback(): Promise<void> {
    this.#pending = [];
    // The server rolls back what a lost session had begun.
    if (this.#hasBegun && !this.#session.lost) await this.#session.run([ROLLBACK]);
  }

  async #send(queries: Query[]): Promise<unknown[]> {
    const ahead = this.#pending;
    this.#pending = [];
    this.#hasBegun = true;
    const merged = merge(queries);
    const results = await this.#session.run([...ahead, ...merged.queries]);
    return merged.split(results.slice(ahead.length));
  }
}
