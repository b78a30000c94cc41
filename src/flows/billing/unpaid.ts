// Whether more may be spent: no budget that it counts against is spent, and the account has credits
// for an hour of all that then runs.

import { Fault } from "../../domain/fault.ts";
import { budgetState, periodOf, spentText } from "../../domain/money/budget.ts";
import { budgetsHolding } from "../../store/budget/budget.ts";
import { missingForAnHour } from "../../store/money/prepaid.ts";
import { spendingOf } from "../../store/money/spending.ts";
import type { Verb } from "../../store/statement.ts";

/** Whose it is: of an account, made with a key (empty for none). */
export interface Payer {
  accountId: string;
  keyId: string;
}

/** `rate` in micro-dollars per hour; the fault says what is missing. */
export function* unpaid(payer: Payer, rate: number, now: number): Verb<Fault | null> {
  const refusal = yield* overBudget(payer, now);
  if (refusal) return refusal;
  const missing = yield* missingForAnHour(payer.accountId, rate, now);
  return missing > 0 ? new Fault("no_credits", { missing: missing / 1_000_000 }) : null;
}

/** Reckoned to the moment, whether or not anybody has looked at the budget since it was spent. */
export function* overBudget(payer: Payer, now: number): Verb<Fault | null> {
  for (const budget of yield* budgetsHolding({ ...payer, endpointId: null })) {
    const { spent } = yield* spendingOf(budget, now);
    if (budgetState(budget.limit, spent) !== "spent") continue;
    const until = new Date(periodOf(budget, now).end).toISOString();
    const what = spentText(budget);
    return new Fault("budget_spent", { what: `${what[0]!.toUpperCase()}${what.slice(1)}`, until });
  }
  return null;
}
