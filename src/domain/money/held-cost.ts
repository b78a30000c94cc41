// What a job costs: the time that workers had it, at what they cost then. Pure.

import { HOUR_MS } from "./owed.ts";

/** A time in which a worker cost the same, in micro-dollars per hour; null while it goes on. */
export interface PricedTime {
  rate: number;
  beganAt: number;
  endedAt: number | null;
}

/** A time in which a worker had the job. */
export interface HeldTime {
  from: number;
  to: number;
}

/** Exact, in parts of a micro-dollar: 3,600,000 to one. */
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
