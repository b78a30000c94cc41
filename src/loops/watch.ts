// Since when somebody has been looking without a gap. Who was away himself, or could not reach the
// store, cannot say that others were silent meanwhile.

/** Between two looks; more than the longest period of a loop that judges. */
const GAP_MS = 5_000;

export class Watch {
  #since: number;
  #last: number;

  constructor(now: number) {
    this.#since = now;
    this.#last = now;
  }

  /** A look that succeeded; returns since when there was none missing. */
  look(now: number): number {
    if (now - this.#last > GAP_MS) this.#since = now;
    this.#last = now;
    return this.#since;
  }
}
