// Gives all that is metered its new price, from one instant on, in the turn that changes prices.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { EndpointSpec } from "../../domain/endpoint/endpoint.ts";
import { networkVolumeRate } from "../../domain/money/rates.ts";
import { paidAhead } from "../../domain/pod/prices.ts";
import { repriced } from "../../domain/pod/reprice.ts";
import { workerRateOn } from "../../domain/worker/rate.ts";
import { chargeAtOnce } from "../money/pass.ts";
import { reprice } from "../money/usage.ts";
import { ringPod } from "../pod/ring.ts";
import { allPods, lockPod, numbers } from "../pod/row.ts";
import { endPlans, familyOf } from "../savings-plan/cover.ts";
import { change, rows, type Verb } from "../statement.ts";

const A_STATEMENT = 1_000;

export function* repriceAll(before: Catalog, after: Catalog, at: number): Verb<void> {
  // Charged all together first: one by one it would take many times as long.
  yield* chargeAtOnce(at, A_STATEMENT);
  yield* repricePods(before, after, at);
  yield* repriceWorkers(before, after, at);
  yield* repriceVolumes(before, after, at);
}

function* repricePods(before: Catalog, after: Catalog, at: number): Verb<void> {
  for (const seen of yield* allPods()) {
    const { cost, runningRate, stoppedRate } = repriced(seen, before, after);
    const same = [seen.cost, seen.runningRate, seen.stoppedRate];
    if ([cost, runningRate, stoppedRate].every((rate, n) => rate === same[n])) continue;
    // A plan that is over by then had the old prices until its end.
    yield* endPlans(familyOf(seen), at);
    const pod = { ...(yield* lockPod(seen.id))!, cost, runningRate, stoppedRate };
    yield* change(
      "update pod set cost = ?, running_rate = ?, stopped_rate = ? where id = ?",
      cost,
      runningRate,
      stoppedRate,
      pod.id,
    );
    yield* reprice(pod.id, true, runningRate - paidAhead(pod), at);
    yield* reprice(pod.id, false, stoppedRate, at);
    yield* ringPod(pod);
  }
}

function* repriceWorkers(before: Catalog, after: Catalog, at: number): Verb<void> {
  const found = yield* rows<{ id: string; type: string | null; gpus: string; spec: string }>(
    `select worker.id, worker.gpu_type_id as type, worker.gpus, endpoint.spec
     from worker join endpoint on endpoint.id = worker.endpoint_id
     where worker.observed <> 'ended' and worker.driver <> 'process'`,
  );
  for (const { id, type, gpus, spec } of found) {
    const asked = JSON.parse(spec) as EndpointSpec;
    const rateIn = (catalog: Catalog) => {
      return workerRateOn(catalog, asked, type, numbers(gpus).length);
    };
    const rate = rateIn(after);
    if (rate === rateIn(before)) continue;
    yield* change("update worker set rate = ? where id = ?", rate, id);
    yield* reprice(id, true, rate, at);
  }
}

function* repriceVolumes(before: Catalog, after: Catalog, at: number): Verb<void> {
  const found = yield* rows<{ id: string; size: number }>(
    "select id, size from network_volume where deleted_at is null",
  );
  for (const { id, size } of found) {
    const rate = networkVolumeRate(after, size);
    if (rate !== networkVolumeRate(before, size)) yield* reprice(id, true, rate, at);
  }
}
