// What the service is doing, so that a move of its clock can wait until nothing is left to do.

import { pause, systemClock, yieldToEventLoop } from "../../base/clock.ts";

/** Work that takes longer waits for something outside, and is waited for no more. */
const MAX_WAIT_MS = 5_000;
/** How long nothing may happen until everything counts as settled: answers travel over sockets. */
const QUIET_TURNS = 4;
const QUIET_MS = 1;

export class Activity {
  #begun = 0;
  /** The works under way, by their numbers. */
  readonly #running = new Set<number>();
  /** Works up to this number are not waited for. */
  #ignored = 0;

  /** Notes something that happened and is over. */
  note(): void {
    this.#begun++;
  }

  track<Result>(work: Promise<Result>): Promise<Result> {
    const number = ++this.#begun;
    this.#running.add(number);
    const end = () => void this.#running.delete(number);
    work.then(end, end);
    return work;
  }

  /** Resolves once nothing is under way, and nothing new began for a moment. */
  async settled(): Promise<void> {
    const until = systemClock.ticks() + MAX_WAIT_MS;
    for (;;) {
      const before = this.#begun;
      for (let turn = 0; turn < QUIET_TURNS; turn++) await yieldToEventLoop();
      await pause(systemClock, QUIET_MS);
      if (this.#begun === before && !this.#isBusy()) return;
      if (systemClock.ticks() < until) continue;
      this.#ignored = this.#begun;
      return;
    }
  }

  #isBusy(): boolean {
    for (const number of this.#running) if (number > this.#ignored) return true;
    return false;
  }
}
