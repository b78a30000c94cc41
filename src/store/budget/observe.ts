// Looks at a budget and writes down what is seen: that most of it is spent, or all, or that it is not
// spent any more. What may be started goes by this.

import {
  type Budget,
  budgetState,
  nextChange,
  periodOf,
  warningText,
} from "../../domain/money/budget.ts";
import { spendingOf } from "../money/spending.ts";
import type { Verb } from "../statement.ts";
import { lockBudget, noteBudget } from "./budget.ts";
import { tellWhatCounts } from "./counting.ts";

export interface Observed {
  budget: Budget;
  /** True where this look was the first of its period to see it. */
  newlyWarned: boolean;
  newlySpent: boolean;
  /** When it should be looked at again though nothing else happens. */
  again: number | null;
}

/** A look that writes nothing; `changes` where there is something to be written. */
export function* lookAtBudget(budget: Budget, now: number): Verb<Observed & { changes: boolean }> {
  const spending = yield* spendingOf(budget, now);
  const { end } = periodOf(budget, now);
  const state = budgetState(budget.limit, spending.spent);
  const known = (until: number | null) => until !== null && until > now;
  const newlyWarned = state !== "ok" && !known(budget.warnedUntil);
  const newlySpent = state === "spent" && !known(budget.spentUntil);
  const warnedNoMore = state === "ok" && known(budget.warnedUntil);
  const spentNoMore = state !== "spent" && known(budget.spentUntil);
  const seen = {
    ...budget,
    ...(newlyWarned && { warnedAt: now, warnedUntil: end }),
    ...(newlySpent && { spentAt: now, spentUntil: end }),
    ...(warnedNoMore && { warnedUntil: null }),
    ...(spentNoMore && { spentUntil: null }),
  };
  const again = nextChange(budget, spending, now);
  const changes = newlyWarned || newlySpent || warnedNoMore || spentNoMore;
  return { budget: seen, newlyWarned, newlySpent, again, changes };
}

/** Null where there is no such budget any more. */
export function* observeBudget(id: string, now: number): Verb<Observed | null> {
  const budget = yield* lockBudget(id);
  if (!budget) return null;
  const { changes, ...seen } = yield* lookAtBudget(budget, now);
  if (changes) yield* noteBudget(seen.budget);
  if (seen.newlyWarned) yield* tellWhatCounts(seen.budget, warningText(seen.budget), now);
  return seen;
}
