// The savings plan that is bought together with a Pod, for all its GPUs.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import { Fault } from "../../domain/fault.ts";
import type { PlanLength } from "../../domain/money/savings-plan.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { isHeld } from "../../store/budget/budget.ts";
import type { Verb } from "../../store/statement.ts";
import { heldFault } from "../budget/held-back.ts";
import { planOf } from "./price.ts";

export interface AskedPlan {
  id: string;
  length: PlanLength;
  /** What the client takes its price to be, in micro-dollars; null where he does not say. */
  upfrontCost: number | null;
}

export function planFor({ catalog }: { catalog: Catalog }, pod: Pod, asked: AskedPlan) {
  const { accountId, gpuTypeId, gpus, createdAt } = pod;
  if (gpuTypeId === null || gpus.length === 0 || pod.spec.interruptible) {
    const detail = "A savings plan covers GPUs that are rented on demand, and nothing else.";
    return new Fault("not_offered", { detail });
  }
  const wanted = { ...asked, accountId, gpuTypeId, gpuCount: gpus.length, podId: pod.id };
  return planOf(catalog, wanted, createdAt);
}

export function* mayNotBuy({ keyId }: { keyId: string }): Verb<Fault | null> {
  return (yield* isHeld(keyId)) ? heldFault() : null;
}
