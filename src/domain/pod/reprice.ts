// The cost of a Pod after a price change. Pure.

import type { Catalog } from "../catalog/catalog.ts";
import { podRates } from "../money/rates.ts";
import { costOn } from "./compute.ts";
import type { Pod } from "./pod.ts";
import type { PodPrices } from "./prices.ts";

/** A price that is the same in both catalogs is not changed for the Pod. */
export function repriced(pod: Pod, before: Catalog, after: Catalog): PodPrices {
  const { desired, pricing } = pod;
  const cost = changed(pricing.cost, costIn(before, pod), costIn(after, pod));
  const [old, now] = [podRates(before, 0, desired.spec), podRates(after, 0, desired.spec)];
  const disks = changed(pricing.runningRate - pricing.cost, old.running, now.running);
  const stoppedRate = changed(pricing.stoppedRate, old.stopped, now.stopped);
  return { cost, runningRate: cost + disks, stoppedRate };
}

const changed = (current: number, before: number, after: number) =>
  before === after ? current : after;

/** A spot Pod pays no more than its bid. */
function costIn(catalog: Catalog, { desired: { spec }, placement }: Pod): number {
  const gpuCount = placement.gpus.length;
  const cost = costOn(catalog, spec, placement.gpuTypeId, gpuCount);
  if (!spec.interruptible || spec.bidPerGpu === null) return cost;
  return Math.min(cost, spec.bidPerGpu * gpuCount);
}
