// An account's balance, and how long it lasts at the current spending. Pure.

import { HOUR_MS } from "../../base/units.ts";

export interface BalanceStanding {
  /** Micro-dollars, with usage up to now deducted; negative if more was used than credited. */
  balance: number;
  /** Micro-dollars per hour, for all current usage. */
  perHour: number;
  /** Micro-dollars spent so far. */
  spent: number;
}

/** When the balance reaches zero; null if it does not. */
export function emptyAt({ balance, perHour }: BalanceStanding, now: number): number | null {
  if (balance <= 0) return now;
  return perHour > 0 ? now + Math.ceil((balance / perHour) * HOUR_MS) : null;
}

/** A balance is low if it lasts no longer than `lowMs`. */
export const isLow = (emptyAt: number, lowMs: number, now: number) => emptyAt - now <= lowMs;

export const lowText = (emptyAt: number) =>
  `the account's credits last until ${new Date(emptyAt).toISOString()} at what is spent now; then this is stopped`;
