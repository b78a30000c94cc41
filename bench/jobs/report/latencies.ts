// Durations and their exact quantiles, in a flat array that is cheap to add to.
export class Latencies {
  #values = new Float64Array(1 << 16);
  #count = 0;

  add(durationMs: number): void {
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(this.#count * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#count++] = durationMs;
  }

  clear(): void {
    this.#count = 0;
  }

  /** The quantile of a share from 0 to 1; NaN without values. */
  at(share: number): number {
    const sorted = this.#values.subarray(0, this.#count).toSorted();
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  }
}
