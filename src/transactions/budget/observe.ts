// Compares a budget with its spending, and records whether it is nearly spent, spent, or neither.
// The record decides what may start.

import {
  type Budget,
  budgetState,
  nextChange,
  periodOf,
  type Spending,
  warningText,
} from "../../domain/money/budget.ts";
import { budgetReached } from "../../domain/notification/money-events.ts";
import { lockBudget, recordBudgetState } from "../../store/budget/budget.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { spendingOf, spendingsOf } from "../../store/usage/spending.ts";
import { raiseEvent } from "../notification/raise.ts";
import { logToWorkloads } from "./log-to-workloads.ts";

export interface BudgetObservation {
  budget: Budget;
  /** True if this observation is the first of its period in this state. */
  newlyWarned: boolean;
  newlySpent: boolean;
  /** When to observe it again if nothing else happens; null for never. */
  nextAt: number | null;
}

/** Reads only; `changes` is true if there is something to record. */
export function* readBudgetStates(budgets: readonly Budget[], now: number) {
  const spendings = yield* spendingsOf(budgets, now);
  return budgets.map((budget, n) => compare(budget, spendings[n]!, now));
}

function compare(
  budget: Budget,
  spending: Spending,
  now: number,
): BudgetObservation & { changes: boolean } {
  const { end } = periodOf(budget, now);
  const state = budgetState(budget.limit, spending.spent);
  const isKnown = (until: number | null) => until !== null && until > now;
  const newlyWarned = state !== "ok" && !isKnown(budget.warnedUntil);
  const newlySpent = state === "spent" && !isKnown(budget.spentUntil);
  const warnedNoMore = state === "ok" && isKnown(budget.warnedUntil);
  const spentNoMore = state !== "spent" && isKnown(budget.spentUntil);
  const observed = {
    ...budget,
    ...(newlyWarned && { warnedAt: now, warnedUntil: end }),
    ...(newlySpent && { spentAt: now, spentUntil: end }),
    ...(warnedNoMore && { warnedUntil: null }),
    ...(spentNoMore && { spentUntil: null }),
  };
  const nextAt = nextChange(budget, spending, now);
  const changes = newlyWarned || newlySpent || warnedNoMore || spentNoMore;
  return { budget: observed, newlyWarned, newlySpent, nextAt, changes };
}

/** Null if the budget was deleted. */
export function* observeBudget(id: string, now: number): Tx<BudgetObservation | null> {
  const budget = yield* lockBudget(id);
  if (!budget) return null;
  const { changes, ...observation } = compare(budget, yield* spendingOf(budget, now), now);
  if (changes) yield* recordBudgetState(observation.budget);
  yield* announce(observation, now);
  if (observation.newlyWarned)
    yield* logToWorkloads(observation.budget, warningText(observation.budget), now);
  return observation;
}

function* announce({ budget, newlyWarned, newlySpent }: BudgetObservation, now: number): Tx<void> {
  if (!newlyWarned && !newlySpent) return;
  const type = newlySpent ? "budget_spent" : "budget_warning";
  yield* raiseEvent(budget.accountId, budgetReached(type, budget, now));
}
