// Changing and deleting a budget. A new limit applies immediately.

import type { Clock } from "../../base/clock.ts";
import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Labels } from "../../domain/label/labels.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { removeBudget, saveBudget } from "../../transactions/budget/write.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { type BudgetView, viewOf } from "./read.ts";

export interface BudgetChanges {
  name?: string;
  labels?: Labels;
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
  await throwRefusal(store.write(removeBudget, by, id));
}

function* change(
  by: ApiKey,
  id: string,
  changes: BudgetChanges,
  now: number,
): Tx<BudgetView | Fault> {
  const budget = yield* saveBudget(by, id, changes, now);
  return budget instanceof Fault ? budget : yield* viewOf(budget, now);
}
