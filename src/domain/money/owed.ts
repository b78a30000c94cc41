// What an interval at one rate costs. Rates are whole micro-dollars per hour and times whole
// milliseconds, so what is owed at any instant is exact: whole micro-dollars, and a remainder that
// the resource's next interval takes over. The store has the same sum in SQL; a law compares them.

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export interface Interval {
  /** Micro-dollars per hour. */
  rate: number;
  beganAt: number;
  /** What the interval before left over: parts of a micro-dollar, 3,600,000 to one. */
  carry: number;
}

/** Micro-dollars owed from the beginning to `at`. */
export function owed(interval: Interval, at: number): number {
  return Number(exact(interval, at) / BigInt(HOUR_MS));
}

/** What is owed at `at` beyond whole micro-dollars, as `carry` counts it. */
export function leftOver(interval: Interval, at: number): number {
  return Number(exact(interval, at) % BigInt(HOUR_MS));
}

function exact({ rate, beganAt, carry }: Interval, at: number): bigint {
  return BigInt(rate) * BigInt(Math.max(0, at - beganAt)) + BigInt(carry);
}

/** What it comes to in an hour or a day, or in the part of it that is meant. */
export interface Slice {
  /** The beginning of the hour or the day. */
  at: number;
  ms: number;
  /** Micro-dollars. */
  micros: number;
}

/** What lies between two instants by units of time; taken back, hence negative, where `to` is earlier. */
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

/** When a time that is billed in whole units, such as seconds, ends. */
export function wholeUnits(beganAt: number, endedAt: number, unitMs: number): number {
  return beganAt + Math.ceil(Math.max(0, endedAt - beganAt) / unitMs) * unitMs;
}
