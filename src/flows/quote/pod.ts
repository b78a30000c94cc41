// Quotes a Pod before it is created: it is resolved and placed as a new Pod would be, and nothing is taken.

import { Fault } from "../../domain/fault.ts";
import { alternativesOf, type Quote } from "../../domain/money/quote.ts";
import type { Placement } from "../../domain/placement/decide.ts";
import type { PlacementRequest } from "../../domain/placement/request.ts";
import { computeOf, costOn } from "../../domain/pod/compute.ts";
import { paidAhead, pricesOf } from "../../domain/pod/prices.ts";
import type { PodSpec } from "../../domain/pod/spec.ts";
import { needsNoSync, type Tx } from "../../store/engine/statement.ts";
import { lockPricesShared } from "../../store/price-book/lock.ts";
import { maySpend, type Payer } from "../../transactions/money/spend.ts";
import { askerOf } from "../../transactions/place/reserved.ts";
import { decidePlace } from "../../transactions/place/take.ts";
import { placeWithinTypes } from "../../transactions/place/within-quota.ts";
import { limitsOn } from "../../transactions/quota/require-quota.ts";
import { coverOf, familyOf } from "../../transactions/savings-plan/cover.ts";
import type { PodDeps } from "../pod/create.ts";
import { resolveSpec, type UnresolvedPod } from "../pod/resolve-spec.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { refusedBy } from "./refused.ts";

export function quotePod(deps: PodDeps, pod: UnresolvedPod & Payer): Promise<Quote> {
  return throwRefusal(deps.store.write(quote, deps, pod, deps.clock.now()));
}

function* quote(deps: PodDeps, pod: UnresolvedPod & Payer, now: number): Tx<Quote | Fault> {
  yield* needsNoSync();
  yield* lockPricesShared(deps.catalog);
  // A Pod that no machine can run is quoted too; the quote says why each machine is passed over.
  const driverFor: PodDeps["driverFor"] = (spec) =>
    deps.driverFor(spec) ?? spec.driver ?? "process";
  const resolved = yield* resolveSpec({ ...deps, driverFor }, pod);
  if (resolved instanceof Fault) return resolved;
  const { catalog, heartbeatTiming } = deps;
  const { spec, request } = resolved;
  const since = now - heartbeatTiming.goneMs;
  const search = { since, machine: null, except: null, asker: askerOf(pod), at: now };
  const onGpu = spec.computeType === "GPU";
  const gpus = onGpu ? spec.gpuCount : 0;
  const limits = yield* limitsOn(pod);
  const placement = yield* placeWithinTypes(limits, gpus, search, (each) =>
    decidePlace(request, each),
  );
  const all = catalog.gpuTypes.map(({ id }) => id);
  const gpuTypeId = onGpu ? typeIn(placement, spec.gpuTypeIds[0] ?? all[0]) : null;
  const cost = costOn(catalog, spec, gpuTypeId, spec.gpuCount);
  const { runningRate, stoppedRate: stopped } = pricesOf(catalog, spec, cost);
  const ahead = yield* aheadOf(pod.accountId, spec, { gpuTypeId, cost }, now);
  const running = runningRate - ahead;
  const { vcpus, flavor } = computeOf(catalog, spec);
  const volumeGb = spec.volumeInGb;
  const adds = { pods: 1, gpus, gpuTypeId, vcpus, volumeGb, rate: runningRate };
  const alternatives: Quote["alternatives"] = [];
  for (const id of onGpu ? alternativesOf(spec.gpuTypeIds, all, gpuTypeId) : []) {
    const other = yield* decidePlace(onlyOn(request, id), search);
    const compute = costOn(catalog, spec, id, spec.gpuCount);
    alternatives.push({ gpuTypeId: id, compute, available: "placed" in other });
  }
  return {
    kind: "pod",
    passedOver: "placed" in placement ? null : placement.passedOver,
    refused: refusedBy(yield* maySpend(pod, { rate: running, adds }, now)),
    gpuTypeId,
    gpuCount: gpus,
    cpuFlavorId: flavor?.id ?? null,
    compute: cost,
    paidAhead: ahead,
    running,
    stopped,
    workers: null,
    alternatives,
  };
}

function* aheadOf(
  accountId: string,
  spec: PodSpec,
  { gpuTypeId, cost }: { gpuTypeId: string | null; cost: number },
  now: number,
): Tx<number> {
  const gpuCount = spec.computeType === "GPU" ? spec.gpuCount : 0;
  const family = familyOf({ accountId, placement: { gpuTypeId }, desired: { spec } });
  return paidAhead({ cost, coveredGpus: yield* coverOf(family, gpuCount, now) }, gpuCount);
}

/** The GPU type of the place; the first requested one if none is free. */
export function typeIn(placement: Placement | null, otherwise: string | undefined): string | null {
  if (placement && "placed" in placement) return placement.placed.gpuTypeId;
  return otherwise ?? null;
}

function onlyOn(request: PlacementRequest, gpuTypeId: string): PlacementRequest {
  if (request.compute.kind !== "GPU") return request;
  return { ...request, compute: { ...request.compute, typeIds: [gpuTypeId] } };
}
