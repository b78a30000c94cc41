// What a Pod costs, as it is kept with the Pod: the prices of the moment at which its place was taken.

import type { Catalog } from "../catalog/catalog.ts";
import { podRates } from "../money/rates.ts";
import type { Pod, PodSpec } from "./pod.ts";

/** Micro-dollars per hour that savings plans pay for. */
export function paidAhead({ cost, gpus, coveredGpus }: Pick<Pod, "cost" | "gpus" | "coveredGpus">) {
  return gpus.length === 0 ? 0 : Math.round((cost / gpus.length) * coveredGpus);
}

export type PodPrices = Pick<Pod, "cost" | "runningRate" | "stoppedRate">;

export function pricesOf(catalog: Catalog, spec: PodSpec, cost: number): PodPrices {
  const { running, stopped } = podRates(catalog, cost, spec);
  return { cost, runningRate: running, stoppedRate: stopped };
}
