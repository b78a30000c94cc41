// How long to wait before asking again: doubling, with jitter so that many workers do not return
// in step, never under 100 ms and never over 5 s.

const SHORTEST_MS = 100;
export const LONGEST_MS = 5_000;

export class Backoff {
  readonly #random: () => number;
  #misses = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** The next wait, in ms; each is longer than the last until `reset`. */
  next(): number {
    const full = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** this.#misses);
    this.#misses = Math.min(this.#misses + 1, 10);
    return Math.max(SHORTEST_MS, Math.round(full * (0.5 + 0.5 * this.#random())));
  }

  reset(): void {
    this.#misses = 0;
  }
}
