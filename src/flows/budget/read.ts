// Budgets with what was spent of them, to the moment.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { type Budget, type BudgetState, budgetState, periodOf } from "../../domain/money/budget.ts";
import { findBudget, listBudgets } from "../../store/budget/budget.ts";
import { spendingOf } from "../../store/money/spending.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";

export interface BudgetView {
  budget: Budget;
  /** Micro-dollars, in the period that now lies in. */
  spent: number;
  state: BudgetState;
  periodStart: number;
  periodEnd: number;
}

interface Deps {
  store: Store;
  clock: Clock;
}

export function budgetsOf({ store, clock }: Deps, accountId: string): Promise<BudgetView[]> {
  return store.read(views, accountId, clock.now());
}

export async function readBudget(
  { store, clock }: Deps,
  accountId: string,
  id: string,
): Promise<BudgetView> {
  const found = await store.read(viewById, accountId, id, clock.now());
  if (!found) throw new Fault("budget_not_found", { id });
  return found;
}

export function* viewOf(budget: Budget, now: number): Verb<BudgetView> {
  const { spent } = yield* spendingOf(budget, now);
  const { start, end } = periodOf(budget, now);
  const state = budgetState(budget.limit, spent);
  return { budget, spent, state, periodStart: start, periodEnd: end };
}

function* viewById(accountId: string, id: string, now: number): Verb<BudgetView | null> {
  const budget = yield* findBudget(id);
  return budget?.accountId === accountId ? yield* viewOf(budget, now) : null;
}

function* views(accountId: string, now: number): Verb<BudgetView[]> {
  const found: BudgetView[] = [];
  for (const budget of yield* listBudgets(accountId)) found.push(yield* viewOf(budget, now));
  return found;
}
