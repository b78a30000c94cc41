// Group commit. Everything that arrives in one turn of the event loop is run in one transaction
// and made durable by one sync of the disk; only then are the callers answered. That is what lets
// every single acknowledgement be durable at a price that many share.

import { Aftermath } from "./aftermath.ts";
import type { Step, Tally, Verb } from "./statement.ts";
import type { Wakes } from "./wakes.ts";

/** What a dialect must be able to do for a turn. All of it is synchronous. */
export interface Transactions {
  begin(): void;
  commit(): void;
  rollback(): void;
  /** Sets a mark in the transaction; what follows is then kept, or taken back to the mark. */
  mark(): void;
  keep(): void;
  /** False where the failure took the whole transaction with it, as a full disk does. */
  takeBack(): boolean;
  /** Runs one query: its rows, or the number of rows it changed. */
  query(sql: string, params: unknown[], rows: boolean): unknown;
}

interface Call {
  verb: (...args: never[]) => Verb<unknown>;
  args: never[];
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Tells a caller what came of its call; only ever called once that is durable. */
type Answer = () => void;

/** A turn longer than this would keep other requests waiting; the rest goes into the next one. */
const MOST_CALLS_A_TURN = 256;

export class Turns {
  readonly #db: Transactions;
  readonly #wakes: Wakes;
  readonly #refuse: (error: unknown) => unknown;
  #calls: Call[] = [];
  #scheduled = false;

  /** `refuse` turns what the database threw into what callers are told. */
  constructor(db: Transactions, wakes: Wakes, refuse: (error: unknown) => unknown) {
    this.#db = db;
    this.#wakes = wakes;
    this.#refuse = refuse;
  }

  run(verb: Call["verb"], args: Call["args"]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#calls.push({ verb, args, resolve, reject });
      this.#schedule();
    });
  }

  /** Commits what is waiting; used when the store closes. */
  flush(): void {
    while (this.#calls.length > 0) this.#turn();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#turn();
      if (this.#calls.length > 0) this.#schedule();
    });
  }

  #turn(): void {
    const calls = this.#calls.splice(0, MOST_CALLS_A_TURN);
    if (calls.length > 0) this.#commit(calls, this.#runAll);
  }

  /** One transaction: `run` does the calls in it and says how each is to be answered. */
  #commit(calls: Call[], run: (calls: Call[], after: Aftermath) => Answer[] | null): void {
    const after = new Aftermath();
    let answers: Answer[] | null;
    try {
      this.#db.begin();
      answers = run(calls, after);
      if (answers) this.#writeSums(after);
      if (answers) this.#db.commit();
      else this.#db.rollback();
    } catch (error) {
      // Nobody's call is to blame: the store itself cannot write, and says so to all of them.
      this.#db.rollback();
      for (const call of calls) call.reject(this.#refuse(error));
      return;
    }
    if (answers) {
      for (const answer of answers) answer();
      after.wake(this.#wakes);
    } else {
      this.#commit(calls, this.#runEach);
    }
  }

  /** Null if any of them fails: then nothing of this may stay. */
  readonly #runAll = (calls: Call[], after: Aftermath): Answer[] | null => {
    try {
      return calls.map((call) => {
        const result = this.drive(call.verb(...call.args), after);
        return () => call.resolve(result);
      });
    } catch {
      return null;
    }
  };

  /** One bad call must not take the others down with it: each is taken back by itself. */
  readonly #runEach = (calls: Call[], after: Aftermath): Answer[] =>
    calls.map((call) => {
      this.#db.mark();
      try {
        const own = new Aftermath();
        const result = this.drive(call.verb(...call.args), own);
        this.#db.keep();
        after.add(own);
        return () => call.resolve(result);
      } catch (error) {
        if (!this.#db.takeBack()) throw error;
        return () => call.reject(this.#refuse(error));
      }
    });

  #writeSums(after: Aftermath): void {
    for (const [endpointId, counts] of after.tallies) this.#addUp(endpointId, counts);
    for (const [workerId, { at, served }] of after.freed) this.#free(workerId, at, served);
  }

  drive<Result>(verb: Verb<Result>, after: Aftermath | null): Result {
    let step = verb.next();
    while (!step.done) step = verb.next(this.#step(step.value, after));
    return step.value;
  }

  #step(step: Step, after: Aftermath | null): unknown {
    if ("sql" in step) return this.#db.query(step.sql, step.params, step.rows);
    if (!after) throw new Error("a verb that only reads tried to write");
    after.note(step);
    return undefined;
  }

  #free(workerId: string, at: number, served: number): void {
    this.#db.query(
      "update worker set freed_at = ?, served = served + ? where id = ?",
      [at, served, workerId],
      false,
    );
  }

  #addUp(endpointId: string, add: Required<Tally["add"]>): void {
    this.#db.query(
      `insert into tally (endpoint_id, in_queue, in_progress, completed, failed, retried)
       values (?, ?, ?, ?, ?, ?)
       on conflict (endpoint_id) do update set
         in_queue = tally.in_queue + excluded.in_queue,
         in_progress = tally.in_progress + excluded.in_progress,
         completed = tally.completed + excluded.completed,
         failed = tally.failed + excluded.failed,
         retried = tally.retried + excluded.retried`,
      [endpointId, add.in_queue, add.in_progress, add.completed, add.failed, add.retried],
      false,
    );
  }
}
