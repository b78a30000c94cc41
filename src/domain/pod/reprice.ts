// What a Pod costs once prices have changed. Pure.

import type { Catalog } from "../catalog/catalog.ts";
import { podRates } from "../money/rates.ts";
import { costOn } from "./compute.ts";
import type { Pod } from "./pod.ts";
import type { PodPrices } from "./prices.ts";

/** What of it changed from one catalog to the other; what did not stays as it is. */
export function repriced(pod: Pod, before: Catalog, after: Catalog): PodPrices {
  const cost = changed(pod.cost, costIn(before, pod), costIn(after, pod));
  const [old, now] = [podRates(before, 0, pod.spec), podRates(after, 0, pod.spec)];
  const disks = changed(pod.runningRate - pod.cost, old.running, now.running);
  const stoppedRate = changed(pod.stoppedRate, old.stopped, now.stopped);
  return { cost, runningRate: cost + disks, stoppedRate };
}

const changed = (kept: number, before: number, after: number) => (before === after ? kept : after);

/** Who bids pays no more than that, whatever the price is. */
function costIn(catalog: Catalog, { spec, gpuTypeId, gpus }: Pod): number {
  const cost = costOn(catalog, spec, gpuTypeId, gpus.length);
  if (!spec.interruptible || spec.bidPerGpu === null) return cost;
  return Math.min(cost, spec.bidPerGpu * gpus.length);
}
