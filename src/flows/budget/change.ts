// Changing and deleting a budget. A new limit applies immediately.

import type { Clock } from "../../base/clock.ts";
import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { changeBudget, deleteBudget, lockBudget } from "../../store/budget/budget.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { observeBudget } from "../../transactions/budget/observe.ts";
import { requireUnbudgetedKey } from "../../transactions/budget/require-unbudgeted-key.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { type BudgetView, viewOf } from "./read.ts";

export interface BudgetChanges {
  name?: string;
  /** Micro-dollars. */
  limit?: number;
}

interface Deps {
  store: Store;
  clock: Clock;
}

export async function changeBudgetOf(
  { store, clock }: Deps,
  by: ApiKey,
  id: string,
  changes: BudgetChanges,
): Promise<BudgetView> {
  return throwRefusal(store.write(change, by, id, changes, clock.now()));
}

export async function deleteBudgetOf({ store }: Deps, by: ApiKey, id: string): Promise<void> {
  await throwRefusal(store.write(remove, by, id));
}

function* change(
  by: ApiKey,
  id: string,
  { name, limit }: BudgetChanges,
  now: number,
): Tx<BudgetView | Fault> {
  const before = yield* lockBudget(id);
  if (before?.accountId !== by.accountId) return new Fault("budget_not_found", { id });
  const refusal = yield* requireUnbudgetedKey(by);
  if (refusal) return refusal;
  yield* changeBudget({ ...before, name: name ?? before.name, limit: limit ?? before.limit });
  const observation = yield* observeBudget(id, now);
  return yield* viewOf(observation!.budget, now);
}

function* remove(by: ApiKey, id: string): Tx<Fault | null> {
  const before = yield* lockBudget(id);
  if (before?.accountId !== by.accountId) return new Fault("budget_not_found", { id });
  const refusal = yield* requireUnbudgetedKey(by);
  if (refusal) return refusal;
  yield* deleteBudget(before);
  return null;
}
