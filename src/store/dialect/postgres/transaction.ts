// A transaction on one session, in as few round trips as can be: what need not be answered by itself
// (its beginning, marks, what is kept or taken back) waits for the next round and travels with it.

import { change, type Query, type Verb } from "../../statement.ts";
import { inStep, type Rounds } from "./in-step.ts";
import type { Session } from "./session.ts";

const plain = (sql: string): Query => ({ sql, params: [], rows: false });
const BEGIN = plain("begin isolation level read committed read write");
const MARK = plain("savepoint call");
const KEEP = plain("release savepoint call");
const BACK = plain("rollback to savepoint call");
const ROLLBACK = plain("rollback");

export class Transaction {
  readonly #session: Session;
  #waiting: Query[] = [BEGIN];
  #begun = false;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Runs rounds of queries to their end. */
  async run<Result>(rounds: Rounds<Result>): Promise<Result> {
    let round = rounds.next();
    while (!round.done) round = rounds.next(await this.#send(round.value));
    return round.value;
  }

  /** Sets a mark; what follows is then kept, or taken back to the mark. */
  mark(): void {
    this.#waiting.push(MARK);
  }

  keep(): void {
    this.#waiting.push(KEEP);
  }

  takeBack(): void {
    // A round that failed has not come as far as what was waiting behind it.
    this.#waiting.push(BACK, KEEP);
  }

  /** Runs the last verbs, each of one query, and commits, in one round trip. */
  async commit(last: Verb<unknown>[]): Promise<void> {
    if (!this.#begun && last.length === 0) return;
    await this.run(inStep([...last, change("commit")], () => {}));
  }

  async rollback(): Promise<void> {
    this.#waiting = [];
    if (this.#begun) await this.#session.run([ROLLBACK]);
  }

  async #send(queries: Query[]): Promise<unknown[]> {
    const ahead = this.#waiting;
    this.#waiting = [];
    this.#begun = true;
    const results = await this.#session.run([...ahead, ...queries]);
    return results.slice(ahead.length);
  }
}
