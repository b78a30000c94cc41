// Group commit. Everything that arrives in one turn of the event loop is run in one transaction
// and made durable by one sync of the disk; only then are the callers answered. That is what lets
// every single acknowledgement be durable at a price that many share.

import type { Step, Tally, Verb } from "./statement.ts";
import type { Wakes } from "./wakes.ts";

/** What a dialect must be able to do for a turn. All of it is synchronous. */
export interface Transactions {
  begin(): void;
  commit(): void;
  rollback(): void;
  /** Runs one query: its rows, or the number of rows it changed. */
  query(sql: string, params: unknown[], rows: boolean): unknown;
}

interface Call {
  verb: (...args: never[]) => Verb<unknown>;
  args: never[];
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

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
    if (calls.length === 0) return;
    try {
      this.#commitTogether(calls);
    } catch (error) {
      // One bad call must not take the others down with it: each gets a transaction of its own.
      if (calls.length === 1) calls[0]!.reject(this.#refuse(error));
      else for (const call of calls) this.#commitAlone(call);
    }
  }

  #commitAlone(call: Call): void {
    try {
      this.#commitTogether([call]);
    } catch (error) {
      call.reject(this.#refuse(error));
    }
  }

  #commitTogether(calls: Call[]): void {
    const after = new Aftermath();
    const results: unknown[] = [];
    this.#db.begin();
    try {
      for (const call of calls) results.push(this.drive(call.verb(...call.args), after));
      for (const [endpointId, counts] of after.tallies) this.#addUp(endpointId, counts);
      for (const [workerId, { at, served }] of after.freed) this.#free(workerId, at, served);
      this.#db.commit();
    } catch (error) {
      this.#db.rollback();
      throw error;
    }
    for (let i = 0; i < calls.length; i++) calls[i]!.resolve(results[i]);
    after.wake(this.#wakes);
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

/** What a turn owes the world once it is committed. */
export class Aftermath {
  readonly tallies = new Map<string, Required<Tally["add"]>>();
  readonly freed = new Map<string, { at: number; served: number }>();
  #all = new Set<string>();
  #some = new Map<string, number>();

  note(step: Exclude<Step, { sql: string }>): void {
    if ("ring" in step) {
      if (step.one) this.#some.set(step.ring, (this.#some.get(step.ring) ?? 0) + 1);
      else this.#all.add(step.ring);
      return;
    }
    if ("freed" in step) {
      const sum = this.freed.get(step.freed);
      this.freed.set(step.freed, { at: step.at, served: (sum?.served ?? 0) + step.served });
      return;
    }
    let counts = this.tallies.get(step.tally);
    if (!counts) {
      counts = { in_queue: 0, in_progress: 0, completed: 0, failed: 0, retried: 0 };
      this.tallies.set(step.tally, counts);
    }
    for (const name of Object.keys(step.add) as (keyof typeof counts)[]) {
      counts[name] += step.add[name] ?? 0;
    }
  }

  wake(wakes: Wakes): void {
    for (const topic of this.#all) wakes.ring(topic);
    for (const [topic, count] of this.#some) wakes.ringSome(topic, count);
  }
}
