// The back-off between requests: it doubles from 100 ms to 5 s, with jitter so that many workers do not
// retry at the same time.

const MIN_MS = 100;
export const MAX_BACKOFF_MS = 5_000;

export class Backoff {
  readonly #random: () => number;
  #misses = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** The next pause in ms; pauses grow until `reset`. */
  next(): number {
    const full = Math.min(MAX_BACKOFF_MS, MIN_MS * 2 ** this.#misses);
    this.#misses = Math.min(this.#misses + 1, 10);
    return Math.max(MIN_MS, Math.round(full * (0.5 + 0.5 * this.#random())));
  }

  reset(): void {
    this.#misses = 0;
  }
}
