// The cost of an interval at one rate. Rates are whole micro-dollars per hour and times whole
// milliseconds, so the amount owed is exact: whole micro-dollars, and a remainder that carries over
// to the resource's next interval. The store computes the same sum in SQL; a conformance test
// compares them.

import { HOUR_MS, MINUTE_MS } from "../../base/units.ts";

export interface Interval {
  /** Micro-dollars per hour. */
  rate: number;
  beganAt: number;
  /** The remainder of the previous interval, in units of 1/3,600,000 micro-dollar. */
  carry: number;
}

/** An interval whose rate is in part for disks. */
export interface SplitInterval extends Interval {
  /** The part of `rate` that is for disks. */
  diskRate: number;
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
export interface CostSlice {
  /** The start of the hour or the day. */
  at: number;
  ms: number;
  /** Micro-dollars. */
  micros: number;
  /** The part of `micros` that is for disks. */
  diskMicros: number;
}

/** Larger rates are split at this precision, so that the same product in SQL stays in 64 bits. */
export const SPLIT_PRECISION = 2 ** 31;

/**
 * The part of an owed amount that is for disks, in whole micro-dollars. Neither this part nor the
 * rest of the amount falls as the amount rises, so that no charge of either is negative.
 */
export function diskPart(
  { rate, diskRate }: Pick<SplitInterval, "rate" | "diskRate">,
  micros: number,
): number {
  if (diskRate === 0) return 0;
  const scale = Math.floor(rate / SPLIT_PRECISION) + 1;
  const [disks, whole] = [diskRate, rate].map((each) => BigInt(Math.floor(each / scale)));
  return Number((BigInt(micros) * disks!) / whole!);
}

/**
 * Splits the amount between two instants by unit of time; negative if `to` is earlier than `from`.
 */
export function* slices(
  interval: SplitInterval,
  from: number,
  to: number,
  unitMs: number,
): Generator<CostSlice> {
  let before = owed(interval, from);
  for (let at = from; at !== to; ) {
    const unit = Math.floor((at < to ? at : at - 1) / unitMs) * unitMs;
    const next = at < to ? Math.min(to, unit + unitMs) : Math.max(to, unit);
    const after = owed(interval, next);
    const diskMicros = diskPart(interval, after) - diskPart(interval, before);
    yield { at: unit, ms: next - at, micros: after - before, diskMicros };
    at = next;
    before = after;
  }
}

export function isSameMinute(one: number, other: number): boolean {
  return Math.floor(one / MINUTE_MS) === Math.floor(other / MINUTE_MS);
}

/** The end of a time that is billed in whole units, such as seconds. */
export function wholeUnits(beganAt: number, endedAt: number, unitMs: number): number {
  return beganAt + Math.ceil(Math.max(0, endedAt - beganAt) / unitMs) * unitMs;
}
