// Reprices everything that is metered, from one instant on, in the transaction that changes prices.

import { type Catalog, hasGpuType } from "../../domain/catalog/catalog.ts";
import { networkVolumeRate } from "../../domain/money/rates.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { type PodPrices, paidAhead } from "../../domain/pod/prices.ts";
import { repriced } from "../../domain/pod/reprice.ts";
import { workerRateOn } from "../../domain/worker/rate.ts";
import { type Tx, together } from "../../store/engine/statement.ts";
import { allVolumes } from "../../store/network-volume/network-volume.ts";
import { notifyPod } from "../../store/pod/notify.ts";
import { allPods, changePod, lockAllPods } from "../../store/pod/row.ts";
import { duePlans } from "../../store/savings-plan/savings-plan.ts";
import { pricedWorkers, setWorkerRate } from "../../store/worker/rate.ts";
import { chargeAtOnce } from "../money/charge-all.ts";
import { reprice } from "../money/meter.ts";
import { endPlans } from "../savings-plan/cover.ts";

/**
 * The number of usages that one statement charges, and of resources that are repriced concurrently.
 */
const BATCH_SIZE = 1_000;

/**
 * Locks all Pods, then the plans, then the usages: the order in which a transaction that moves one
 * Pod locks. Another order could deadlock with it.
 */
export function* repriceAll(before: Catalog, after: Catalog, at: number): Tx<void> {
  yield* lockAllPods();
  // Plans that ended by then had the old prices until their end.
  for (const family of (yield* duePlans(at)).due) yield* endPlans(family, at);
  // Charging in bulk first is many times faster than charging each usage as it is repriced.
  yield* chargeAtOnce(at, BATCH_SIZE);
  const transactions = [
    ...(yield* repricePods(before, after, at)),
    ...(yield* repriceWorkers(before, after, at)),
    ...(yield* repriceVolumes(before, after, at)),
  ];
  for (let n = 0; n < transactions.length; n += BATCH_SIZE)
    yield* together(transactions.slice(n, n + BATCH_SIZE));
}

/**
 * Returns a transaction for each Pod whose price changes; the functions below do the same for other
 * resources.
 */
function* repricePods(before: Catalog, after: Catalog, at: number): Tx<Tx<void>[]> {
  return (yield* allPods()).flatMap((pod) => {
    const prices = repriced(pod, before, after);
    const names = Object.keys(prices) as (keyof PodPrices)[];
    const same = names.every((name) => prices[name] === pod.pricing[name]);
    return same ? [] : [repricePod(pod, prices, at)];
  });
}

function* repricePod(pod: Pod, prices: PodPrices, at: number): Tx<void> {
  yield* changePod(pod.id, { pricing: prices });
  const { coveredGpus } = pod.pricing;
  const ahead = paidAhead({ cost: prices.cost, coveredGpus }, pod.placement.gpus.length);
  const disks = prices.runningRate - prices.cost;
  const rates = {
    running: { rate: prices.runningRate - ahead, diskRate: disks },
    stopped: { rate: prices.stoppedRate, diskRate: prices.stoppedRate },
  };
  yield* reprice(pod.id, rates, at);
  yield* notifyPod(pod);
}

function* repriceWorkers(before: Catalog, after: Catalog, at: number): Tx<Tx<void>[]> {
  return (yield* pricedWorkers()).flatMap(({ id, spec, gpuTypeId, gpuCount }) => {
    // What a GPU type costs that has left the catalog stays.
    if (gpuTypeId !== null && !hasGpuType(after, gpuTypeId)) return [];
    const isBack = gpuTypeId !== null && !hasGpuType(before, gpuTypeId);
    const rate = workerRateOn(after, spec, gpuTypeId, gpuCount);
    const same = !isBack && rate === workerRateOn(before, spec, gpuTypeId, gpuCount);
    return same ? [] : [repriceWorker(id, rate, at)];
  });
}

function* repriceWorker(id: string, rate: number, at: number): Tx<void> {
  yield* setWorkerRate(id, rate);
  yield* reprice(id, { running: { rate, diskRate: 0 } }, at);
}

function* repriceVolumes(before: Catalog, after: Catalog, at: number): Tx<Tx<void>[]> {
  return (yield* allVolumes()).flatMap(({ id, size }) => {
    const rate = networkVolumeRate(after, size);
    if (rate === networkVolumeRate(before, size)) return [];
    return [reprice(id, { running: { rate, diskRate: rate } }, at)];
  });
}
