// Savings plans in the forms that GraphQL clients read and send.

import { Fault } from "../../domain/fault.ts";
import { planLengthOf, planLengths, type SavingsPlan } from "../../domain/money/savings-plan.ts";
import { PLAN_ID_LENGTH } from "../../flows/savings-plan/create.ts";
import type { AskedPlan } from "../../flows/savings-plan/for-pod.ts";
import { microsOf } from "../rest-v1/dollars.ts";
import { savingsPlanRead } from "../rest-v1/savings-plan-read.ts";
import { accountFor, type Context } from "./context.ts";

export function graphqlPlan(plan: SavingsPlan) {
  return {
    ...savingsPlanRead(plan),
    savingsPlanType: plan.upfrontCost > 0 ? "PREPAID" : "GRANTED",
  };
}

export interface PlanInput {
  planLength?: string | null;
  upfrontCost?: number | null;
}

/** What is bought together with a Pod; whoever buys it may spend. */
export function askedPlan(context: Context, { planLength, upfrontCost }: PlanInput): AskedPlan {
  accountFor(context, "write", "billing");
  const length = planLengthOf(planLength ?? "");
  if (length === null) {
    const detail = `"savingsPlan.planLength" must be one of ${planLengths.join(", ")}.`;
    throw new Fault("invalid_body", { detail });
  }
  return {
    id: context.deps.ids.short(PLAN_ID_LENGTH),
    length,
    upfrontCost: upfrontCost == null ? null : microsOf(upfrontCost, "savingsPlan.upfrontCost"),
  };
}
