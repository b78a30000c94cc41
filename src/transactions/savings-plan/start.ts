// Starts a savings plan: one commit pays for it and covers running Pods.

import { formatPlan, type SavingsPlan } from "../../domain/money/savings-plan.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { pay } from "../../store/ledger/ledger.ts";
import { addPlan } from "./cover.ts";

export function* startPlan(plan: SavingsPlan): Tx<void> {
  const { accountId, upfrontCost, startAt } = plan;
  yield* addPlan(plan);
  if (upfrontCost > 0) yield* pay(accountId, upfrontCost, formatPlan(plan), startAt);
}
