// The cost of a job: the time that workers held it, at their price during that time. Pure.

import { HOUR_MS } from "../../base/units.ts";

/**
 * An interval with a constant cost of a worker, in micro-dollars per hour; the end is null while it
 * lasts.
 */
export interface PricedTime {
  rate: number;
  beganAt: number;
  endedAt: number | null;
}

/** An interval in which a worker held the job. */
export interface HeldTime {
  from: number;
  to: number;
}

/** The exact cost in units of 1/3,600,000 micro-dollar. */
export function heldParts({ from, to }: HeldTime, times: readonly PricedTime[]): bigint {
  let parts = 0n;
  for (const { rate, beganAt, endedAt } of times) {
    const ms = Math.min(to, endedAt ?? to) - Math.max(from, beganAt);
    if (ms > 0) parts += BigInt(rate) * BigInt(ms);
  }
  return parts;
}

/** Micro-dollars, rounded to the nearest. */
export const inMicros = (parts: bigint) => Number((parts + BigInt(HOUR_MS / 2)) / BigInt(HOUR_MS));
