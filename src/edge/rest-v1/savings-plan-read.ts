// A savings plan as clients read it.

import type { SavingsPlan } from "../../contract/rest-v1/savings-plan.ts";
import type { SavingsPlan as Kept } from "../../domain/money/savings-plan.ts";
import { dollars } from "./dollars.ts";
import { instant } from "./instant.ts";

export function savingsPlanRead(plan: Kept): SavingsPlan {
  const { id, podId, gpuTypeId, gpuCount, length, costPerHr, upfrontCost, active } = plan;
  return {
    id,
    ...(podId !== null && { podId }),
    gpuTypeId,
    gpuCount,
    planLength: length,
    costPerHr: dollars(costPerHr),
    upfrontCost: dollars(upfrontCost),
    startTime: instant(plan.startAt),
    endTime: instant(plan.endAt),
    active,
  };
}
