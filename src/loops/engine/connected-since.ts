// The start of this replica's current uninterrupted connection to the store. Silence of others
// before it does not count, because this replica could not have heard them.

import type { Clock } from "../../base/clock.ts";

/** The longest gap between two passes; longer than the period of every loop that uses this. */
const GAP_MS = 5_000;
/** A difference of instants and ticks that no drift explains: the clock was set. */
const STEP_MS = 1_000;

export class Watch {
  readonly #clock: Clock;
  #since: number;
  #last: number;
  #lastTicks: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.now();
    this.#last = this.#since;
    this.#lastTicks = clock.ticks();
  }

  /**
   * Records a successful pass; returns the start of the current sequence without a gap or a jump of time. Where the
   * clock was set, what others wrote before cannot be compared with it.
   */
  recordPass(): number {
    const [now, ticks] = [this.#clock.now(), this.#clock.ticks()];
    const jumped = (this.#clock.jumpedTo ?? 0) > this.#last;
    const gapMs = ticks - this.#lastTicks;
    const isSet = Math.abs(now - this.#last - gapMs) > STEP_MS;
    if (jumped || isSet || gapMs > GAP_MS) this.#since = now;
    this.#last = now;
    this.#lastTicks = ticks;
    return this.#since;
  }
}
