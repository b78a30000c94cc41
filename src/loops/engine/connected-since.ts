// The start of this replica's current uninterrupted connection to the store. Silence of others
// before it does not count, because this replica could not have heard them.

import type { Clock } from "../../base/clock.ts";

/** The longest gap between two passes; longer than the period of every loop that uses this. */
const GAP_MS = 5_000;

export class Watch {
  readonly #clock: Clock;
  #since: number;
  #last: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.now();
    this.#last = this.#since;
  }

  /** Records a successful pass; returns the start of the current sequence without a gap or a jump of time. */
  recordPass(): number {
    const now = this.#clock.now();
    const jumped = (this.#clock.jumpedTo ?? 0) > this.#last;
    if (jumped || now - this.#last > GAP_MS) this.#since = now;
    this.#last = now;
    return this.#since;
  }
}
