// Checks that the account may spend more: no budget that applies is spent, and the credits last for
// an hour of everything that would then run.

import { capitalize } from "../../domain/capitalize.ts";
import { Fault } from "../../domain/fault.ts";
import { budgetState, periodOf, spentText } from "../../domain/money/budget.ts";
import { budgetsOn } from "../../store/budget/budget.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { spendingOf } from "../../store/usage/spending.ts";
import { missingForAnHour } from "./standing.ts";

/** The account, and the key that creates the resource; empty for none. */
export interface Payer {
  accountId: string;
  keyId: string;
}

/** Returns a fault with what is missing, or null. `rate` is in micro-dollars per hour. */
export function* requireCredits(payer: Payer, rate: number, now: number): Tx<Fault | null> {
  const refusal = yield* requireBudget(payer, now);
  if (refusal) return refusal;
  const missing = yield* missingForAnHour(payer.accountId, rate, now);
  return missing > 0 ? new Fault("no_credits", { missing: missing / 1_000_000 }) : null;
}

/** Computed for this moment, even if no observation has recorded yet that the budget is spent. */
export function* requireBudget(payer: Payer, now: number): Tx<Fault | null> {
  for (const budget of yield* budgetsOn({ ...payer, endpointId: null })) {
    const { spent } = yield* spendingOf(budget, now);
    if (budgetState(budget.limit, spent) !== "spent") continue;
    const until = new Date(periodOf(budget, now).end).toISOString();
    const what = spentText(budget);
    return new Fault("budget_spent", { what: capitalize(what), until });
  }
  return null;
}
