// Savings plans in the forms that GraphQL clients read and send.

import { Fault } from "../../../domain/fault.ts";
import { planLengthOf, planLengths, type SavingsPlan } from "../../../domain/money/savings-plan.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { PLAN_ID_LENGTH } from "../../../flows/savings-plan/create.ts";
import type { RequestedPlan } from "../../../flows/savings-plan/for-pod.ts";
import { microsOf } from "../../management/billing/dollars.ts";
import { savingsPlanRead } from "../../management/billing/savings-plan-view.ts";
import { accountFor, type GraphqlContext } from "../schema/context.ts";
import type { SavingsPlanInput } from "../schema/types.generated.ts";

export function graphqlSavingsPlan(plan: SavingsPlan) {
  return {
    ...savingsPlanRead(plan),
    savingsPlanType: plan.upfrontCost > 0 ? "PREPAID" : "GRANTED",
  };
}

/** The plan that is bought together with a Pod. The caller needs permission to spend. */
export function requestedPlan(
  context: GraphqlContext<Pick<FlowDeps, "ids">>,
  { planLength, upfrontCost }: SavingsPlanInput,
): RequestedPlan {
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
