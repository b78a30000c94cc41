// The steps of a start. One that takes long is named in the log: until the last one the service serves nothing, and what it waits
// for is often another program.

import { type Clock, systemClock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";

/** An unhurried start is over by then. */
const LONG_MS = 10_000;

export class StartSteps {
  readonly #log: Logger;
  readonly #clock: Clock;
  #step = "begins";
  #cancel = () => {};

  constructor(log: Logger, clock: Clock = systemClock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** What the service does now, such as "opens its store". */
  get current(): string {
    return this.#step;
  }

  /** Begins a step, which ends the one before it. */
  enter(step: string): void {
    this.end();
    this.#step = step;
    this.#watch(this.#clock.ticks());
  }

  /** The start is over, or has failed. */
  end(): void {
    this.#cancel();
    this.#cancel = () => {};
  }

  #watch(since: number): void {
    this.#cancel = this.#clock.after(LONG_MS, () => {
      const seconds = Math.round((this.#clock.ticks() - since) / 1_000);
      this.#log.warn({ step: this.#step, seconds }, "the start takes long");
      this.#watch(since);
    });
  }
}
