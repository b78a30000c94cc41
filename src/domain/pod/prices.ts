// The cost of a Pod at the prices of its placement, which are stored with the Pod.

import type { Catalog } from "../catalog/catalog.ts";
import { podRates } from "../money/rates.ts";
import type { PodPricing } from "./pod.ts";
import type { PodSpec } from "./spec.ts";

/** The part of the cost that savings plans pay for a number of GPUs, in micro-dollars per hour. */
export function paidAhead(
  { cost, coveredGpus }: Pick<PodPricing, "cost" | "coveredGpus">,
  gpuCount: number,
): number {
  return gpuCount === 0 ? 0 : Math.round((cost / gpuCount) * coveredGpus);
}

export type PodPrices = Omit<PodPricing, "coveredGpus">;

export function pricesOf(catalog: Catalog, spec: PodSpec, cost: number): PodPrices {
  const { running, stopped } = podRates(catalog, cost, spec);
  return { cost, runningRate: running, stoppedRate: stopped };
}
