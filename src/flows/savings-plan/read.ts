// Reading an account's savings plans.

import { Fault } from "../../domain/fault.ts";
import type { SavingsPlan } from "../../domain/money/savings-plan.ts";
import type { Store } from "../../store/engine/store.ts";
import { findPlan, plansOf } from "../../store/savings-plan/savings-plan.ts";

export function readPlans({ store }: { store: Store }, accountId: string): Promise<SavingsPlan[]> {
  return store.read(plansOf, accountId);
}

export async function readPlan(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<SavingsPlan> {
  const found = await store.read(findPlan, id);
  if (found?.accountId !== accountId) throw new Fault("savings_plan_not_found", { id });
  return found;
}
