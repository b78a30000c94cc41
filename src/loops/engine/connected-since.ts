// The start of this replica's current uninterrupted connection to the store. Silence of others
// before it does not count, because this replica could not have heard them.

/** The longest gap between two passes; longer than the period of every loop that uses this. */
const GAP_MS = 5_000;

export class Watch {
  #since: number;
  #last: number;

  constructor(now: number) {
    this.#since = now;
    this.#last = now;
  }

  /** Records a successful pass; returns the start of the current sequence without a gap. */
  recordPass(now: number): number {
    if (now - this.#last > GAP_MS) this.#since = now;
    this.#last = now;
    return this.#since;
  }
}
