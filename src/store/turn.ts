// Group commit. Everything that arrives while the disk syncs what came before is run in one
// transaction and made durable by one sync; only then are the callers answered. That is what lets
// every single acknowledgement be durable at a price that many share. A sync that takes long runs
// beside the event loop, which goes on reading requests meanwhile.

import { systemTicks } from "../base/clock.ts";
import { Aftermath } from "./aftermath.ts";
import type { Step, Verb } from "./statement.ts";
import type { RunQuery, Transactions } from "./transactions.ts";
import { TurnCounts } from "./turn-counts.ts";
import type { Wakes } from "./wakes.ts";

interface Call {
  verb: (...args: never[]) => Verb<unknown>;
  args: never[];
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** What came of a call, and whether that may be lost in a power cut. */
interface Outcome {
  tell: () => void;
  noSync: boolean;
}

/** Who is told once the sync is done, or gets its error. */
interface Waiting {
  tell: () => void;
  reject: (error: unknown) => void;
}

/** Waits its turn and does no more. */
function* nothing(): Verb<void> {}

/** A turn of more calls would keep other requests waiting; the rest goes into the next one. */
const MOST_CALLS_A_TURN = 256;

export class Turns {
  readonly counts = new TurnCounts();
  readonly #db: Transactions;
  readonly #wakes: Wakes;
  readonly #refuse: (error: unknown) => unknown;
  #calls: Call[] = [];
  #scheduled = false;
  /** The transaction under way, if there is one: what it has done is not there to be read yet. */
  #open: Promise<void> | null = null;
  #syncing = false;
  #resting = false;
  #waiting: Waiting[] = [];
  /** Set once a sync failed: what the disk lost then, nobody can say before a new start. */
  #broken: unknown = null;

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

  /** Runs a verb that only reads; whatever it saw is durable before its caller sees it. */
  async read<Result>(verb: Verb<Result>): Promise<Result> {
    const fresh = this.#open !== null; // asked by somebody woken in the turn: for what it brings
    while (this.#open) await this.#open;
    if (this.#broken) throw this.#broken;
    const durable = this.#syncing && !fresh ? this.#db.durable() : null;
    if (durable) return this.#drive(verb, null, durable);
    const result = this.#drive(verb, null);
    if (!this.#syncing) return result;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ tell: () => resolve(result), reject });
    });
  }

  /** Waits until everything that was asked for is durable. */
  async settle(): Promise<void> {
    if (this.#open || this.#syncing || this.#resting || this.#calls.length > 0)
      await this.run(nothing, []).catch(() => {});
  }

  #schedule(): void {
    if (this.#scheduled || this.#open || this.#syncing || this.#resting) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#turn();
    });
  }

  async #turn(): Promise<void> {
    const calls = this.#calls.splice(0, MOST_CALLS_A_TURN);
    if (this.#broken) for (const call of calls) call.reject(this.#broken);
    else if (calls.length > 0) await this.#commit(calls);
    if (this.#calls.length > 0) this.#schedule();
  }

  /** One transaction, or a second one where some call of the first failed. */
  async #commit(calls: Call[]): Promise<void> {
    const begun = systemTicks();
    const count = (failed: boolean) =>
      this.counts.turned({ calls: calls.length, rounds: 0, ms: systemTicks() - begun }, failed);
    const closed = Promise.withResolvers<void>();
    this.#open = closed.promise;
    const after = new Aftermath();
    let outcomes: Outcome[] | null;
    let toSync: boolean;
    try {
      this.#db.begin();
      outcomes = this.#runAll(calls, after);
      if (outcomes && after.wakeSome(this.#wakes)) {
        const woken = await this.#callsOfWoken();
        const theirs = this.#runAll(woken, after);
        calls.push(...woken);
        outcomes = theirs && outcomes.concat(theirs);
      }
      if (!outcomes) {
        this.#db.rollback();
        this.#db.begin();
        after.clear();
        outcomes = this.#runEach(calls, after);
      }
      for (const sum of after.sums(0)) this.#drive(sum, null);
      toSync = this.#db.commit(!outcomes.every(({ noSync }) => noSync));
    } catch (error) {
      // Nobody's call is to blame: the store itself cannot write, and says so to all of them.
      this.#db.rollback();
      for (const call of calls) call.reject(this.#refuse(error));
      count(true);
      return;
    } finally {
      this.#open = null;
      closed.resolve();
    }
    this.#waiting.push({ tell: () => count(false), reject: () => count(true) });
    this.#conclude(calls, outcomes, after, toSync);
  }

  /**
   * Whoever waits for work that this turn brings is woken inside it, so that his claim shares its
   * commit. He can look at nothing before it is committed: only his calls run here.
   */
  async #callsOfWoken(): Promise<Call[]> {
    await new Promise<void>((resolve) => queueMicrotask(() => process.nextTick(resolve)));
    return this.#calls.splice(0, MOST_CALLS_A_TURN);
  }

  #conclude(calls: Call[], outcomes: Outcome[], after: Aftermath, toSync: boolean): void {
    for (let n = 0; n < calls.length; n++) {
      this.#waiting.push({ tell: outcomes[n]!.tell, reject: calls[n]!.reject });
    }
    this.#waiting.push({ tell: () => after.wake(this.#wakes), reject: () => {} });
    if (toSync) this.#sync();
    else this.#tellAll();
  }

  #sync(): void {
    this.#syncing = true;
    this.#db.sync((error) => {
      this.#syncing = false;
      if (error) this.#broken = this.#refuse(error);
      this.#tellAll();
      this.#resting = true;
      this.#db.rest(() => {
        this.#resting = false;
        if (this.#calls.length > 0) this.#schedule();
      });
    });
  }

  #tellAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { tell, reject } of waiting) {
      if (this.#broken) reject(this.#broken);
      else tell();
    }
  }

  /** Null if any of them fails: then nothing of this may stay. */
  readonly #runAll = (calls: Call[], after: Aftermath): Outcome[] | null => {
    try {
      return this.#untilFull(calls, (call) => {
        after.noSync = false;
        const result = this.#drive(call.verb(...call.args), after);
        return { tell: () => call.resolve(result), noSync: after.noSync };
      });
    } catch {
      return null;
    }
  };

  /** One bad call must not take the others down with it: each is taken back by itself. */
  readonly #runEach = (calls: Call[], after: Aftermath): Outcome[] =>
    this.#untilFull(calls, (call) => {
      this.#db.mark();
      try {
        const own = new Aftermath();
        const result = this.#drive(call.verb(...call.args), own);
        this.#db.keep();
        after.add(own);
        return { tell: () => call.resolve(result), noSync: own.noSync };
      } catch (error) {
        if (!this.#db.takeBack()) throw error;
        return { tell: () => call.reject(this.#refuse(error)), noSync: true };
      }
    });

  /** Those for whom there is no room any more are taken out, and come first in the next turn. */
  #untilFull(calls: Call[], run: (call: Call) => Outcome): Outcome[] {
    const outcomes: Outcome[] = [];
    for (const call of calls) {
      outcomes.push(run(call));
      if (this.#db.full()) break;
    }
    this.#calls.unshift(...calls.splice(outcomes.length));
    return outcomes;
  }

  #drive<Result>(
    verb: Verb<Result>,
    after: Aftermath | null,
    query: RunQuery = this.#db.query,
  ): Result {
    let step = verb.next();
    while (!step.done) step = verb.next(this.#step(step.value, after, query));
    return step.value;
  }

  #step(step: Step, after: Aftermath | null, query: RunQuery): unknown {
    if ("sql" in step) return query(step.sql, step.params, step.rows);
    if ("together" in step) return step.together.map((verb) => this.#drive(verb, after, query));
    if (!after) throw new Error("a verb that only reads tried to write");
    after.note(step);
    return undefined;
  }
}
