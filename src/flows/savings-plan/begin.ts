// A savings plan begins: it is paid for, and covers what runs, in the same turn.

import { formatPlan, type SavingsPlan } from "../../domain/money/savings-plan.ts";
import { pay } from "../../store/money/books.ts";
import { addPlan } from "../../store/savings-plan/cover.ts";
import type { Verb } from "../../store/statement.ts";

export function* beginPlan(plan: SavingsPlan): Verb<void> {
  const { accountId, upfrontCost, startAt } = plan;
  yield* addPlan(plan);
  if (upfrontCost > 0) yield* pay(accountId, upfrontCost, formatPlan(plan), startAt);
}
