// Reproducible random numbers by seed, the same on every machine.

export interface Seeded {
  /** At least 0 and less than 1. */
  next(): number;
  between(low: number, high: number): number;
  /** The time to the next event at `perSecond` events on average, in milliseconds. */
  gapMs(perSecond: number): number;
  /** Positive, with half of the values below `median` and a long tail. */
  lognormal(median: number, sigma: number): number;
}

/** Mulberry32: 32 bits of state suffice for a day of jobs. */
export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (low, high) => low + (high - low) * next(),
    gapMs: (perSecond) => (-Math.log(1 - next()) / perSecond) * 1_000,
    lognormal: (median, sigma) => {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      return median * Math.exp(sigma * normal);
    },
  };
}
