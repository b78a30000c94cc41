// A savings plan that is bought together with a Pod, for all its GPUs.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import { Fault } from "../../domain/fault.ts";
import type { PlanLength } from "../../domain/money/savings-plan.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { planOf } from "./price.ts";

export interface RequestedPlan {
  id: string;
  length: PlanLength;
  /** The price that the client expects, in micro-dollars; null if they do not say. */
  upfrontCost: number | null;
}

export function planFor({ catalog }: { catalog: Catalog }, pod: Pod, plan: RequestedPlan) {
  const { accountId, createdAt } = pod;
  const { gpuTypeId, gpus } = pod.placement;
  if (gpuTypeId === null || gpus.length === 0 || pod.desired.spec.interruptible) {
    const detail = "A savings plan covers on-demand GPUs only.";
    return new Fault("not_offered", { detail });
  }
  const request = { ...plan, accountId, gpuTypeId, gpuCount: gpus.length, podId: pod.id };
  return planOf(catalog, request, createdAt);
}
