// The calls that commit together, with their outcomes.

import type { TxCall } from "./connection.ts";
import type { Notifier } from "./notifier.ts";
import { PostCommit } from "./post-commit.ts";
import type { Note } from "./statement.ts";

export interface QueuedCall extends TxCall {
  /** In ticks: a step of the wall clock must not make a call late. */
  queuedAt: number;
  /** How often a commit with it has failed because of other writers. */
  conflicts: number;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** The calls of one transaction with their outcomes, and its effects after the commit. */
export class CommitBatch {
  readonly postCommit = new PostCommit();
  readonly #answers: (() => void)[] = [];
  #calls: QueuedCall[] = [];
  /** Calls whose changes a power cut may undo. */
  readonly #noSync = new Set<QueuedCall>();
  isDurable = false;

  note(call: QueuedCall, note: Note): void {
    if ("noSync" in note) this.#noSync.add(call);
    else this.postCommit.add(note);
  }

  succeed(call: QueuedCall, result: unknown): void {
    this.#calls.push(call);
    this.#answers.push(() => call.resolve(result));
    this.isDurable ||= !this.#noSync.has(call);
  }

  fail(call: QueuedCall, fault: unknown): void {
    this.#calls.push(call);
    this.#answers.push(() => call.reject(fault));
  }

  /** After the commit: notifies the listeners and answers the callers. */
  answer(notifier: Notifier): void {
    for (const answer of this.#answers) answer();
    this.postCommit.notify(notifier);
  }

  /** Before a rejection: takes calls out of the batch, to be run again. */
  takeBack(isTaken: (call: QueuedCall) => boolean): QueuedCall[] {
    const taken = this.#calls.filter(isTaken);
    this.#calls = this.#calls.filter((call) => !taken.includes(call));
    return taken;
  }

  /** After a commit that failed. */
  reject(fault: unknown): void {
    for (const call of this.#calls) call.reject(fault);
  }
}
