// The cost of an interval at one rate. Rates are whole micro-dollars per hour and times whole
// milliseconds, so the amount owed is exact: whole micro-dollars, and a remainder that carries over
// to the resource's next interval. The store computes the same sum in SQL; a conformance test
// compares them.

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export interface Interval {
  /** Micro-dollars per hour. */
  rate: number;
  beganAt: number;
  /** The remainder of the previous interval, in units of 1/3,600,000 micro-dollar. */
  carry: number;
}

/** Micro-dollars owed from the start to `at`. */
export function owed(interval: Interval, at: number): number {
  return Number(exact(interval, at) / BigInt(HOUR_MS));
}

/** The remainder at `at` beyond whole micro-dollars, in the unit of `carry`. */
export function leftOver(interval: Interval, at: number): number {
  return Number(exact(interval, at) % BigInt(HOUR_MS));
}

function exact({ rate, beganAt, carry }: Interval, at: number): bigint {
  return BigInt(rate) * BigInt(Math.max(0, at - beganAt)) + BigInt(carry);
}

/** The amount owed in an hour or a day, or in a part of it. */
export interface Slice {
  /** The start of the hour or the day. */
  at: number;
  ms: number;
  /** Micro-dollars. */
  micros: number;
}

/**
 * Splits the amount between two instants by unit of time; negative if `to` is earlier than `from`.
 */
export function* slices(
  interval: Interval,
  from: number,
  to: number,
  unitMs: number,
): Generator<Slice> {
  let before = owed(interval, from);
  for (let at = from; at !== to; ) {
    const unit = Math.floor((at < to ? at : at - 1) / unitMs) * unitMs;
    const next = at < to ? Math.min(to, unit + unitMs) : Math.max(to, unit);
    const after = owed(interval, next);
    yield { at: unit, ms: next - at, micros: after - before };
    at = next;
    before = after;
  }
}

/** The end of a time that is billed in whole units, such as seconds. */
export function wholeUnits(beganAt: number, endedAt: number, unitMs: number): number {
  return beganAt + Math.ceil(Math.max(0, endedAt - beganAt) / unitMs) * unitMs;
}
