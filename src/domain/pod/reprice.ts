// The cost of a Pod after a price change. Pure.

import { type Catalog, hasGpuType } from "../catalog/catalog.ts";
import { podRates } from "../money/rates.ts";
import { costOn } from "./compute.ts";
import type { Pod } from "./pod.ts";
import type { PodPrices } from "./prices.ts";

/**
 * A price that is the same in both catalogs is not changed for the Pod, and neither is that of a GPU type which leaves the
 * catalog. A type that comes back has a new price.
 */
export function repriced(pod: Pod, before: Catalog, after: Catalog): PodPrices {
  const { desired, pricing } = pod;
  const cost = computeCost(pod, before, after);
  const [old, now] = [podRates(before, 0, desired.spec), podRates(after, 0, desired.spec)];
  const disks = changed(pricing.runningRate - pricing.cost, old.running, now.running);
  const stoppedRate = changed(pricing.stoppedRate, old.stopped, now.stopped);
  return { cost, runningRate: cost + disks, stoppedRate };
}

function computeCost(pod: Pod, before: Catalog, after: Catalog): number {
  const { pricing, placement } = pod;
  const isGpu = pod.desired.spec.computeType === "GPU" && placement.gpus.length > 0;
  if (isGpu && !hasGpuType(after, placement.gpuTypeId)) return pricing.cost;
  if (isGpu && !hasGpuType(before, placement.gpuTypeId)) return costIn(after, pod);
  return changed(pricing.cost, costIn(before, pod), costIn(after, pod));
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
