// A client renames a budget, gives it another limit, or takes it away. A limit counts from then on.

import type { Clock } from "../../base/clock.ts";
import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { changeBudget, deleteBudget, lockBudget } from "../../store/budget/budget.ts";
import { observeBudget } from "../../store/budget/observe.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { heldBack } from "./held-back.ts";
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
  const result = await store.write(change, by, id, changes, clock.now());
  if (result instanceof Fault) throw result;
  return result;
}

export async function deleteBudgetOf({ store }: Deps, by: ApiKey, id: string): Promise<void> {
  const refusal = await store.write(remove, by, id);
  if (refusal) throw refusal;
}

function* change(
  by: ApiKey,
  id: string,
  { name, limit }: BudgetChanges,
  now: number,
): Verb<BudgetView | Fault> {
  const before = yield* lockBudget(id);
  if (before?.accountId !== by.accountId) return new Fault("budget_not_found", { id });
  const refusal = yield* heldBack(by);
  if (refusal) return refusal;
  yield* changeBudget({ ...before, name: name ?? before.name, limit: limit ?? before.limit });
  const seen = yield* observeBudget(id, now);
  return yield* viewOf(seen!.budget, now);
}

function* remove(by: ApiKey, id: string): Verb<Fault | null> {
  const before = yield* lockBudget(id);
  if (before?.accountId !== by.accountId) return new Fault("budget_not_found", { id });
  const refusal = yield* heldBack(by);
  if (refusal) return refusal;
  yield* deleteBudget(before);
  return null;
}
