// Whether an account may add to what it spends: it must have credits for an hour of all of it.

import { Fault } from "../../domain/fault.ts";
import { missingForAnHour } from "../../store/money/prepaid.ts";
import type { Verb } from "../../store/statement.ts";

/** `rate` in micro-dollars per hour; the fault says what is missing. */
export function* unpaid(accountId: string, rate: number, now: number): Verb<Fault | null> {
  const missing = yield* missingForAnHour(accountId, rate, now);
  return missing > 0 ? new Fault("no_credits", { missing: missing / 1_000_000 }) : null;
}
