// A savings plan at its catalog price.

import { type Catalog, canonicalGpuType } from "../../domain/catalog/catalog.ts";
import { unknownGpuTypes } from "../../domain/catalog/unknown-names.ts";
import { Fault } from "../../domain/fault.ts";
import {
  type PlanLength,
  planEnd,
  type SavingsPlan,
  upfrontOf,
} from "../../domain/money/savings-plan.ts";

export interface PlanRequest {
  id: string;
  accountId: string;
  gpuTypeId: string;
  gpuCount: number;
  length: PlanLength;
  podId: string | null;
  /** The price that the client expects, in micro-dollars; null if it states none. */
  upfrontCost: number | null;
}

export function planOf(catalog: Catalog, desired: PlanRequest, now: number): SavingsPlan | Fault {
  const { length, gpuCount } = desired;
  const type = typeOf(catalog, desired.gpuTypeId);
  if (type instanceof Fault) return type;
  const costPerHr = type.prices[length];
  if (costPerHr === null) {
    const detail = `${type.id} has no savings plan of length ${length}.`;
    return new Fault("not_offered", { detail });
  }
  const upfrontCost = upfrontOf(costPerHr, gpuCount, length);
  if (desired.upfrontCost !== null && desired.upfrontCost !== upfrontCost) {
    const expected = desired.upfrontCost / 1_000_000;
    const detail = `"upfrontCost" is ${expected}, but this plan costs ${upfrontCost / 1_000_000} dollars.`;
    return new Fault("invalid_body", { detail });
  }
  return newPlan({ ...desired, gpuTypeId: type.id, costPerHr, upfrontCost }, now);
}

/** A granted plan: it is free, and the catalog needs no price for it. */
export function freePlanOf(
  catalog: Catalog,
  desired: PlanRequest,
  now: number,
): SavingsPlan | Fault {
  const type = typeOf(catalog, desired.gpuTypeId);
  if (type instanceof Fault) return type;
  return newPlan({ ...desired, gpuTypeId: type.id, costPerHr: 0, upfrontCost: 0 }, now);
}

function typeOf(catalog: Catalog, idOrName: string) {
  const id = canonicalGpuType(catalog, idOrName);
  const type = catalog.gpuTypes.find((each) => each.id === id);
  if (type) return type;
  const [detail] = unknownGpuTypes("gpuTypeId", [idOrName], catalog);
  return new Fault("invalid_body", { detail: detail! });
}

function newPlan(
  plan: Omit<SavingsPlan, "startAt" | "endAt" | "active">,
  startAt: number,
): SavingsPlan {
  const { id, accountId, gpuTypeId, gpuCount, length, costPerHr, upfrontCost, podId } = plan;
  const endAt = planEnd(startAt, length);
  const what = { id, accountId, gpuTypeId, gpuCount, length, costPerHr, upfrontCost, podId };
  return { ...what, startAt, endAt, active: true };
}
