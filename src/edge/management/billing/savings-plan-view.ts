// A savings plan in the format of the management API.

import type { SavingsPlan } from "../../../contract/rest-v1/billing/savings-plan.ts";
import type { SavingsPlan as StoredSavingsPlan } from "../../../domain/money/savings-plan.ts";
import { instant } from "../serve/instant.ts";
import { dollars } from "./dollars.ts";

export function savingsPlanRead(plan: StoredSavingsPlan): SavingsPlan {
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
