// Group commit over a connection. Calls that arrive while a transaction is under way go together in
// the next one: their statements travel together, and one sync of the server's disk serves them all.

import { type Clock, systemTicks } from "../../../base/clock.ts";
import { Aftermath } from "../../aftermath.ts";
import { isSideBySide, type Verb } from "../../statement.ts";
import { TurnCounts } from "../../turn-counts.ts";
import type { Wakes } from "../../wakes.ts";
import { isConflict, refuse, unavailable } from "./faults.ts";
import { inStep, type Rounds } from "./in-step.ts";
import type { Link } from "./link.ts";
import type { Session } from "./session.ts";
import { Transaction } from "./transaction.ts";

interface Call {
  verb: (...args: never[]) => Verb<unknown>;
  args: never[];
  since: number;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

const MOST_CALLS_A_TURN = 256;
/** Who has waited so long for his turn is told that the store is away. */
const LONGEST_WAIT_MS = 10_000;
const LOOKED_AT_EVERY_MS = 1_000;
/** A call that somebody else was quicker than is tried so often. */
const TRIES = 4;
/** Replicas count in different rows, so that none waits for another's transaction. */
const SLOTS = 16;

export class PostgresTurns {
  readonly counts = new TurnCounts();
  readonly #link: Link;
  readonly #wakes: Wakes;
  readonly #clock: Clock;
  #calls: Call[] = [];
  #running: Promise<void> | null = null;

  constructor(link: Link, wakes: Wakes, clock: Clock) {
    this.#link = link;
    this.#wakes = wakes;
    this.#clock = clock;
  }

  run(verb: Call["verb"], args: Call["args"]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#calls.push({ verb, args, since: this.#clock.now(), resolve, reject });
      this.#running ??= this.#runTurns();
    });
  }

  /** Waits until everything that was asked for is answered. */
  async settle(): Promise<void> {
    await this.#running;
  }

  async #runTurns(): Promise<void> {
    const unwatch = this.#watch();
    while (this.#calls.length > 0) {
      // Whatever is read from the sockets in this round of the event loop comes along.
      await new Promise<void>((resolve) => setImmediate(resolve));
      const calls = this.#calls.splice(0, MOST_CALLS_A_TURN);
      try {
        await this.#counted(calls, await this.#link.session());
      } catch (error) {
        for (const call of calls) call.reject(refuse(error));
      }
    }
    unwatch();
    this.#running = null;
  }

  async #counted(calls: Call[], session: Session): Promise<void> {
    const [begun, before] = [systemTicks(), session.rounds];
    let failed = true;
    try {
      await this.#turn(calls, session);
      failed = false;
    } finally {
      const rounds = session.rounds - before;
      this.counts.turned({ calls: calls.length, rounds, ms: systemTicks() - begun }, failed);
    }
  }

  async #turn(calls: Call[], session: Session): Promise<void> {
    const after = new Aftermath();
    const transaction = new Transaction(session);
    let results: unknown[];
    try {
      results = await transaction.run(runAll(calls, after));
      if (after.wakeSome(this.#wakes)) {
        const woken = await this.#callsOfWoken();
        calls.push(...woken);
        results.push(...(await transaction.run(runAll(woken, after))));
      }
      await transaction.commit(after.sums(session.pid % SLOTS));
    } catch (error) {
      const fault = refuse(error);
      await transaction.rollback();
      if (fault !== error && !isConflict(error)) throw fault;
      return this.#runEach(calls, session);
    }
    after.wake(this.#wakes);
    for (let n = 0; n < calls.length; n++) calls[n]!.resolve(results[n]);
  }

  /**
   * Whoever waits for work that this turn brings is woken inside it, so that his claim shares its
   * commit.
   */
  async #callsOfWoken(): Promise<Call[]> {
    await new Promise<void>((resolve) => queueMicrotask(() => process.nextTick(resolve)));
    return this.#calls.splice(0, MOST_CALLS_A_TURN);
  }

  /** One bad call must not take the others down with it: each is taken back by itself. */
  async #runEach(calls: Call[], session: Session): Promise<void> {
    let part = new Part(session);
    for (const call of calls) {
      for (let tries = 1; ; tries++) {
        const error = await part.try(call);
        if (error === null) break;
        if (tries === TRIES || !isConflict(error)) {
          part.refused(call, error);
          break;
        }
        // The other may wait for what is held here: it is let go before the next try.
        await part.conclude(this.#wakes);
        part = new Part(session);
      }
    }
    await part.conclude(this.#wakes);
  }

  /** Refuses those who wait behind a turn that takes too long. */
  #watch(): () => void {
    let cancel = () => {};
    const look = () => {
      const before = this.#clock.now() - LONGEST_WAIT_MS;
      const late = this.#calls.filter(({ since }) => since <= before);
      if (late.length > 0) this.#calls = this.#calls.filter(({ since }) => since > before);
      for (const call of late) call.reject(unavailable(new Error("the store is too slow")));
      cancel = this.#clock.after(LOOKED_AT_EVERY_MS, look);
    };
    cancel = this.#clock.after(LOOKED_AT_EVERY_MS, look);
    return () => cancel();
  }
}

/** Calls that are safe side by side run in step; every other one when all before it are done. */
function* runAll(calls: Call[], after: Aftermath): Rounds<unknown[]> {
  const results: unknown[] = [];
  while (results.length < calls.length) {
    const group = [calls[results.length]!];
    while (isSideBySide(group[0]!.verb)) {
      const next = calls[results.length + group.length];
      if (!next || !isSideBySide(next.verb)) break;
      group.push(next);
    }
    const verbs = group.map(({ verb, args }) => verb(...args));
    results.push(...(yield* inStep(verbs, (note) => after.note(note))));
  }
  return results;
}

/** Calls in one transaction with a mark before each, and what each is told once it is committed. */
class Part {
  readonly #session: Session;
  readonly #transaction: Transaction;
  readonly #after = new Aftermath();
  readonly #calls: Call[] = [];
  readonly #tell: (() => void)[] = [];

  constructor(session: Session) {
    this.#session = session;
    this.#transaction = new Transaction(session);
  }

  /** Runs a call; where it fails, nothing of it stays and its error is returned. */
  async try(call: Call): Promise<unknown> {
    const own = new Aftermath();
    this.#transaction.mark();
    try {
      const verb = call.verb(...call.args);
      const [result] = await this.#transaction.run(inStep([verb], (note) => own.note(note)));
      this.#transaction.keep();
      this.#after.add(own);
      this.#calls.push(call);
      this.#tell.push(() => call.resolve(result));
      return null;
    } catch (error) {
      this.#transaction.takeBack();
      return error;
    }
  }

  refused(call: Call, error: unknown): void {
    this.#calls.push(call);
    this.#tell.push(() => call.reject(refuse(error)));
  }

  /** Commits what went well and tells everybody, or tells everybody that the store is away. */
  async conclude(wakes: Wakes): Promise<void> {
    try {
      await this.#transaction.commit(this.#after.sums(this.#session.pid % SLOTS));
    } catch (error) {
      for (const call of this.#calls) call.reject(unavailable(error));
      await this.#transaction.rollback();
      return;
    }
    this.#after.wake(wakes);
    for (const tell of this.#tell) tell();
  }
}
