// Gives all that is metered its new price, from one instant on, in the turn that changes prices.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { EndpointSpec } from "../../domain/endpoint/endpoint.ts";
import { networkVolumeRate } from "../../domain/money/rates.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { type PodPrices, paidAhead } from "../../domain/pod/prices.ts";
import { repriced } from "../../domain/pod/reprice.ts";
import { workerRateOn } from "../../domain/worker/rate.ts";
import { chargeAtOnce } from "../money/pass.ts";
import { reprice } from "../money/usage.ts";
import { ringPod } from "../pod/ring.ts";
import { allPods, lockAllPods, numbers } from "../pod/row.ts";
import { endPlans } from "../savings-plan/cover.ts";
import { duePlans } from "../savings-plan/plan.ts";
import { change, rows, together, type Verb } from "../statement.ts";

/** So many are charged by a statement, and so many travel together. */
const AT_ONCE = 1_000;

/**
 * Whoever moves a Pod locks it, then the plans that may cover it, then its usage. So do we, all of each:
 * in another order two would wait for each other.
 */
export function* repriceAll(before: Catalog, after: Catalog, at: number): Verb<void> {
  yield* lockAllPods();
  // Plans that are over by then had the old prices until their end.
  for (const family of (yield* duePlans(at)).due) yield* endPlans(family, at);
  // Charged all together first: one by one it would take many times as long.
  yield* chargeAtOnce(at, AT_ONCE);
  const verbs = [
    ...(yield* podsRepriced(before, after, at)),
    ...(yield* workersRepriced(before, after, at)),
    ...(yield* volumesRepriced(before, after, at)),
  ];
  for (let n = 0; n < verbs.length; n += AT_ONCE) yield* together(verbs.slice(n, n + AT_ONCE));
}

/** A verb for each that costs something else now; so do the others. */
function* podsRepriced(before: Catalog, after: Catalog, at: number): Verb<Verb<void>[]> {
  return (yield* allPods()).flatMap((pod) => {
    const prices = repriced(pod, before, after);
    const same = (Object.keys(prices) as (keyof PodPrices)[]).every((n) => prices[n] === pod[n]);
    return same ? [] : [repricePod({ ...pod, ...prices }, at)];
  });
}

function* repricePod(pod: Pod, at: number): Verb<void> {
  yield* change(
    "update pod set cost = ?, running_rate = ?, stopped_rate = ? where id = ?",
    pod.cost,
    pod.runningRate,
    pod.stoppedRate,
    pod.id,
  );
  const rates = { running: pod.runningRate - paidAhead(pod), stopped: pod.stoppedRate };
  yield* reprice(pod.id, rates, at);
  yield* ringPod(pod);
}

function* workersRepriced(before: Catalog, after: Catalog, at: number): Verb<Verb<void>[]> {
  const found = yield* rows<{ id: string; type: string | null; gpus: string; spec: string }>(
    `select worker.id, worker.gpu_type_id as type, worker.gpus, endpoint.spec
     from worker join endpoint on endpoint.id = worker.endpoint_id
     where worker.observed <> 'ended' and worker.driver <> 'process'`,
  );
  return found.flatMap(({ id, type, gpus, spec }) => {
    const asked = JSON.parse(spec) as EndpointSpec;
    const [old, rate] = [before, after].map((catalog) => {
      return workerRateOn(catalog, asked, type, numbers(gpus).length);
    });
    return rate === old ? [] : [repriceWorker(id, rate!, at)];
  });
}

function* repriceWorker(id: string, rate: number, at: number): Verb<void> {
  yield* change("update worker set rate = ? where id = ?", rate, id);
  yield* reprice(id, { running: rate }, at);
}

function* volumesRepriced(before: Catalog, after: Catalog, at: number): Verb<Verb<void>[]> {
  const found = yield* rows<{ id: string; size: number }>(
    "select id, size from network_volume where deleted_at is null",
  );
  return found.flatMap(({ id, size }) => {
    const rate = networkVolumeRate(after, size);
    return rate === networkVolumeRate(before, size) ? [] : [reprice(id, { running: rate }, at)];
  });
}
