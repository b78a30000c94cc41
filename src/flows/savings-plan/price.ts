// A savings plan at the price that the catalog has for it.

import { type Catalog, canonicalGpuType, idsOf } from "../../domain/catalog/catalog.ts";
import { strangers } from "../../domain/catalog/strangers.ts";
import { Fault } from "../../domain/fault.ts";
import {
  type PlanLength,
  planEnd,
  type SavingsPlan,
  upfrontOf,
} from "../../domain/money/savings-plan.ts";

export interface WantedPlan {
  id: string;
  accountId: string;
  gpuTypeId: string;
  gpuCount: number;
  length: PlanLength;
  podId: string | null;
  /** What the client takes its price to be, in micro-dollars; null where he does not say. */
  upfrontCost: number | null;
}

export function planOf(catalog: Catalog, wanted: WantedPlan, now: number): SavingsPlan | Fault {
  const { length, gpuCount } = wanted;
  const type = typeOf(catalog, wanted.gpuTypeId);
  if (type instanceof Fault) return type;
  const costPerHr = type.prices[length];
  if (costPerHr === null) {
    const detail = `There are no savings plans of this length (${length}) for ${type.id}.`;
    return new Fault("not_offered", { detail });
  }
  const upfrontCost = upfrontOf(costPerHr, gpuCount, length);
  if (wanted.upfrontCost !== null && wanted.upfrontCost !== upfrontCost) {
    const said = wanted.upfrontCost / 1_000_000;
    const detail = `"upfrontCost" is ${said}, but this plan costs ${upfrontCost / 1_000_000} dollars.`;
    return new Fault("invalid_body", { detail });
  }
  return begun({ ...wanted, gpuTypeId: type.id, costPerHr, upfrontCost }, now);
}

/** The same as a gift: nothing is paid for it, and the catalog need have no price. */
export function freePlanOf(catalog: Catalog, wanted: WantedPlan, now: number): SavingsPlan | Fault {
  const type = typeOf(catalog, wanted.gpuTypeId);
  if (type instanceof Fault) return type;
  return begun({ ...wanted, gpuTypeId: type.id, costPerHr: 0, upfrontCost: 0 }, now);
}

function typeOf(catalog: Catalog, given: string) {
  const id = canonicalGpuType(catalog, given);
  const type = catalog.gpuTypes.find((each) => each.id === id);
  if (type) return type;
  const [detail] = strangers("gpuTypeId", [given], idsOf(catalog.gpuTypes), "a GPU type");
  return new Fault("invalid_body", { detail: detail! });
}

function begun(
  plan: Omit<SavingsPlan, "startAt" | "endAt" | "active">,
  startAt: number,
): SavingsPlan {
  const { id, accountId, gpuTypeId, gpuCount, length, costPerHr, upfrontCost, podId } = plan;
  const endAt = planEnd(startAt, length);
  const what = { id, accountId, gpuTypeId, gpuCount, length, costPerHr, upfrontCost, podId };
  return { ...what, startAt, endAt, active: true };
}
