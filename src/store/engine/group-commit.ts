// Group commit. Calls that arrive while a batch is being committed run together in the next one: one
// transaction, one sync of the disk. Callers are answered after the commit is durable. The sync is thereby
// shared, and yet every acknowledgement is durable by itself.

import { type Clock, systemTicks, yieldToEventLoop } from "../../base/clock.ts";
import { CommitBatch, type QueuedCall } from "./commit-batch.ts";
import { CommitCounts } from "./commit-counts.ts";
import type { Connection, TxCall } from "./connection.ts";
import type { Gathering } from "./gathering.ts";
import type { Notifier } from "./notifier.ts";
import { type Note, together } from "./statement.ts";
import { storeUnavailable } from "./unavailable.ts";

/** Refuses calls that waited too long for their batch to begin. */
export interface QueueTimeout {
  clock: Clock;
  ms: number;
}

export interface GroupCommitOptions {
  timeout?: QueueTimeout | null;
  gathering?: Gathering | null;
}

/** A larger batch would delay other requests; further calls go into the next one. */
const MAX_CALLS_PER_BATCH = 256;
/** How often a call, or a commit of calls one at a time, is tried that conflicts with other writers. */
const MAX_TRIES = 4;
const TIMEOUT_CHECK_MS = 1_000;

/** How a batch runs again, one of whose calls failed. */
type Repeat = "one at a time" | "each alone";

export class GroupCommit {
  readonly counts = new CommitCounts();
  readonly #connection: Connection;
  readonly #notifier: Notifier;
  readonly #timeout: QueueTimeout | null;
  readonly #gathering: Gathering | null;
  #queue: QueuedCall[] = [];
  #running: Promise<void> | null = null;

  constructor(
    connection: Connection,
    notifier: Notifier,
    { timeout = null, gathering = null }: GroupCommitOptions = {},
  ) {
    this.#connection = connection;
    this.#notifier = notifier;
    this.#timeout = timeout;
    this.#gathering = gathering;
  }

  run(transaction: TxCall["transaction"], args: TxCall["args"]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const queuedAt = this.#timeout ? systemTicks() : 0;
      this.#queue.push({ transaction, args, queuedAt, conflicts: 0, resolve, reject });
      this.#running ??= this.#runBatches();
    });
  }

  /** Resolves once every call so far is answered. */
  async settle(): Promise<void> {
    await this.#running;
  }

  async #runBatches(): Promise<void> {
    const stopTimeout = this.#timeout ? this.#watchQueue(this.#timeout) : null;
    while (this.#queue.length > 0) {
      // Requests that are read from their sockets in this pass of the event loop join the batch.
      await yieldToEventLoop();
      await this.#gathering?.wait(() => this.#queue.length);
      const calls = this.#queue.splice(0, MAX_CALLS_PER_BATCH);
      if (calls.length === 0) continue;
      const answered = calls.length;
      await this.#runBatch(calls);
      this.#gathering?.expect(answered, this.#queue.length);
      await this.#connection.finishBatch();
    }
    stopTimeout?.();
    this.#running = null;
  }

  async #runBatch(calls: QueuedCall[]): Promise<void> {
    const [startedAt, tripsBefore] = [systemTicks(), this.#connection.roundTrips];
    let committed = false;
    try {
      const outcome = await this.#runTogether(calls);
      committed = outcome === "committed" || (await this.#runEach(calls, outcome));
    } catch (error) {
      // No call is to blame: the database itself cannot write.
      for (const call of calls) call.reject(this.#connection.toFault(error));
    }
    const roundTrips = this.#connection.roundTrips - tripsBefore;
    this.counts.record(
      { calls: calls.length, roundTrips, ms: systemTicks() - startedAt },
      committed,
    );
  }

  /** Commits all calls, or tells, with nothing changed, how they must run because one of them fails. */
  async #runTogether(calls: QueuedCall[]): Promise<"committed" | Repeat> {
    const connection = this.#connection;
    const batch = new CommitBatch();
    let phase: "begin" | "calls" | "commit" = "begin";
    try {
      await connection.begin();
      phase = "calls";
      await this.#runCalls(calls, batch);
      if (batch.postCommit.notifyEarly(this.#notifier)) {
        const notified = await this.#callsOfNotified();
        try {
          await this.#runCalls(notified, batch);
        } finally {
          calls.push(...notified);
        }
      }
      await this.#settle(batch);
      phase = "commit";
      await connection.commit(batch.postCommit.writes(connection.slot), batch.isDurable);
    } catch (error) {
      await connection.rollback();
      if (connection.isBlocked(error)) return "each alone";
      if (phase === "calls" && !connection.isOutage(error)) return "one at a time";
      if (phase === "commit" && connection.isConflict(error)) return "one at a time";
      throw error;
    }
    batch.answer(this.#notifier);
    this.counts.recordDurations(batch.postCommit.durations());
    return "committed";
  }

  /**
   * A listener that waits for work is notified inside the batch that brings it, so that its claim shares the
   * commit. Its reads have to wait: only its writes run here.
   */
  async #callsOfNotified(): Promise<QueuedCall[]> {
    await new Promise<void>((resolve) => queueMicrotask(() => process.nextTick(resolve)));
    return this.#queue.splice(0, MAX_CALLS_PER_BATCH);
  }

  /** Takes the calls that found no room out of `calls`, to be first in the next batch. */
  async #runCalls(calls: QueuedCall[], batch: CommitBatch): Promise<void> {
    const note = (call: QueuedCall, note: Note) => batch.note(call, note);
    const results = await this.#connection.run(calls, note);
    this.#queue.unshift(...calls.splice(results.length));
    for (let n = 0; n < calls.length; n++) batch.succeed(calls[n]!, results[n]);
  }

  /** Once, after all calls: what is locked here is locked in one order. */
  async #settle({ postCommit }: CommitBatch): Promise<void> {
    const settlements = postCommit.settlements();
    if (settlements.length === 0) return;
    const settlement = { transaction: () => together(settlements), args: [] };
    await this.#connection.run([settlement], (_, note) => {
      if (!("noSync" in note)) postCommit.add(note);
    });
  }

  /**
   * Marks the transaction before each call, so that a failing call is rolled back alone. Where a lock blocks a call,
   * each commits alone: the lock may also block what a batch writes last.
   */
  async #runEach(calls: QueuedCall[], repeat: Repeat): Promise<boolean> {
    const isAlone = repeat === "each alone";
    const lock = { waits: !isAlone };
    await this.#connection.begin(lock);
    let batch = new CommitBatch();
    let committed = true;
    for (let n = 0; n < calls.length; n++) {
      const call = calls[n]!;
      for (let tries = 1; ; tries++) {
        const error = await this.#runAlone(call, batch);
        if (error === null) break;
        if (tries === MAX_TRIES || !this.#connection.isConflict(error)) {
          batch.fail(call, this.#connection.toFault(error));
          break;
        }
        // The other writer may be waiting for locks of this transaction: release them before the next try.
        committed = (await this.#conclude(batch)) && committed;
        await this.#connection.begin(lock);
        batch = new CommitBatch();
      }
      if (isAlone && n < calls.length - 1) {
        committed = (await this.#conclude(batch)) && committed;
        await this.#connection.begin(lock);
        batch = new CommitBatch();
      }
      if (this.#connection.isFull) this.#queue.unshift(...calls.splice(n + 1));
    }
    return (await this.#conclude(batch)) && committed;
  }

  /** Returns the call's error, with the transaction as it was before, or null. */
  async #runAlone(call: QueuedCall, batch: CommitBatch): Promise<unknown> {
    const connection = this.#connection;
    const notes: Note[] = [];
    connection.mark();
    try {
      const [result] = await connection.run([call], (_, note) => {
        if ("lookUp" in note) batch.note(call, note);
        else notes.push(note);
      });
      connection.keep();
      for (const note of notes) batch.note(call, note);
      batch.succeed(call, result);
      return null;
    } catch (error) {
      if (!connection.rollbackToMark()) {
        await connection.rollback();
        throw error;
      }
      return error;
    }
  }

  /** Commits and answers; returns false if the commit failed. */
  async #conclude(batch: CommitBatch): Promise<boolean> {
    const connection = this.#connection;
    try {
      await this.#settle(batch);
      await connection.commit(batch.postCommit.writes(connection.slot), batch.isDurable);
    } catch (error) {
      await connection.rollback();
      if (connection.isConflict(error)) {
        const repeated = batch.takeBack(({ conflicts }) => conflicts + 1 < MAX_TRIES);
        for (const call of repeated) call.conflicts++;
        this.#queue.unshift(...repeated);
      }
      batch.reject(connection.toFault(error));
      return false;
    }
    batch.answer(this.#notifier);
    this.counts.recordDurations(batch.postCommit.durations());
    return true;
  }

  #watchQueue({ clock, ms }: QueueTimeout): () => void {
    const check = () => {
      const before = systemTicks() - ms;
      const late = this.#queue.filter(({ queuedAt }) => queuedAt <= before);
      if (late.length > 0) this.#queue = this.#queue.filter(({ queuedAt }) => queuedAt > before);
      for (const call of late) call.reject(storeUnavailable(new Error("the store is too slow")));
      cancel = clock.after(TIMEOUT_CHECK_MS, check);
    };
    let cancel = clock.after(TIMEOUT_CHECK_MS, check);
    return () => cancel();
  }
}
