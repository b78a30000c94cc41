// Budgets with their current spending.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import {
  type Budget,
  type BudgetState,
  budgetState,
  periodOf,
  type Spending,
} from "../../domain/money/budget.ts";
import { findBudget, listBudgets } from "../../store/budget/budget.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { spendingOf, spendingsOf } from "../../store/usage/spending.ts";

export interface BudgetView {
  budget: Budget;
  /** Micro-dollars spent in the current period. */
  spent: number;
  state: BudgetState;
  periodStart: number;
  periodEnd: number;
}

interface BudgetReadDeps {
  store: Store;
  clock: Clock;
}

export function budgetsOf(
  { store, clock }: BudgetReadDeps,
  accountId: string,
): Promise<BudgetView[]> {
  return store.read(views, accountId, clock.now());
}

export async function readBudget(
  { store, clock }: BudgetReadDeps,
  accountId: string,
  id: string,
): Promise<BudgetView> {
  const found = await store.read(viewById, accountId, id, clock.now());
  if (!found) throw new Fault("budget_not_found", { id });
  return found;
}

export function* viewOf(budget: Budget, now: number): Tx<BudgetView> {
  return view(budget, yield* spendingOf(budget, now), now);
}

function view(budget: Budget, { spent }: Spending, now: number): BudgetView {
  const { start, end } = periodOf(budget, now);
  const state = budgetState(budget.limit, spent);
  return { budget, spent, state, periodStart: start, periodEnd: end };
}

function* viewById(accountId: string, id: string, now: number): Tx<BudgetView | null> {
  const budget = yield* findBudget(id);
  return budget?.accountId === accountId ? yield* viewOf(budget, now) : null;
}

function* views(accountId: string, now: number): Tx<BudgetView[]> {
  const budgets = yield* listBudgets(accountId);
  const spendings = yield* spendingsOf(budgets, now);
  return budgets.map((budget, n) => view(budget, spendings[n]!, now));
}
