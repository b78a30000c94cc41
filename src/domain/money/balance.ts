// How long an account's credits last, at what it spends now. Pure.

import { HOUR_MS } from "./owed.ts";

export interface Standing {
  /** Micro-dollars, what is owed up to now taken off; below nothing where more was used. */
  balance: number;
  /** Micro-dollars per hour, of all that is metered now. */
  perHour: number;
  /** Micro-dollars, of all time and up to now. */
  spent: number;
}

/** When nothing is left; null where that does not come. */
export function emptyAt({ balance, perHour }: Standing, now: number): number | null {
  if (balance <= 0) return now;
  return perHour > 0 ? now + Math.ceil((balance / perHour) * HOUR_MS) : null;
}

/** What lasts for no more than `lowMs` is low. */
export const isLow = (emptyAt: number, lowMs: number, now: number) => emptyAt - now <= lowMs;

export const lowText = (emptyAt: number) =>
  `the account's credits last until ${new Date(emptyAt).toISOString()} at what is spent now; then this is stopped`;
