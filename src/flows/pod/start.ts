// A client starts a stopped Pod. It stays on its machine, where its volume is, and needs free resources there.

import type { Actor } from "../../domain/audit/entry.ts";
import { describeCudaDemand, satisfiesCuda } from "../../domain/catalog/cuda-version.ts";
import { Fault } from "../../domain/fault.ts";
import type { PlacementRequest } from "../../domain/placement/request.ts";
import { costOf, requestOf } from "../../domain/pod/compute.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { paidAhead, pricesOf } from "../../domain/pod/prices.ts";
import { type StartRequest, specToStart, unofferedToStart } from "../../domain/pod/start.ts";
import { validatePod } from "../../domain/pod/validate.ts";
import { additionOfStart } from "../../domain/quota/of-pod.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findPod } from "../../store/pod/row.ts";
import { lockPricesShared } from "../../store/price-book/lock.ts";
import { knownMachines } from "../../store/replica/inventory.ts";
import { spend } from "../../transactions/money/spend.ts";
import { findVolumeOfPod } from "../../transactions/network-volume/of-pod.ts";
import { askerOf } from "../../transactions/place/reserved.ts";
import { evictFrom, takePlace } from "../../transactions/place/take.ts";
import { placeWithinQuota } from "../../transactions/place/within-quota.ts";
import { replacePod } from "../../transactions/pod/change.ts";
import { movePod } from "../../transactions/pod/move.ts";
import { coverOf, familyOf } from "../../transactions/savings-plan/cover.ts";
import { currentActor } from "../audit/action.ts";
import { throwRefusal } from "../throw-refusal.ts";
import type { PodDeps } from "./create.ts";
import { lockOwnPod } from "./move.ts";

export function startPod(
  deps: PodDeps,
  accountId: string,
  id: string,
  request: StartRequest = {},
): Promise<Pod> {
  const by = currentActor();
  return throwRefusal(
    deps.store.write(start, deps, { accountId, id, request, by }, deps.clock.now()),
  );
}

interface Start {
  accountId: string;
  id: string;
  request: StartRequest;
  by: Actor | undefined;
}

function* start(
  deps: PodDeps,
  { accountId, id, request, by }: Start,
  now: number,
): Tx<Pod | Fault> {
  const pod = yield* lockOwnPod(accountId, id);
  if (pod instanceof Fault || pod.desired.state === "RUNNING") return pod;
  const { catalog, heartbeatTiming } = deps;
  yield* lockPricesShared(catalog);
  const { spec, compute } = specToStart(catalog, pod, request);
  const unoffered = unofferedToStart(catalog, spec, compute);
  if (unoffered !== null) return new Fault("no_longer_offered", { what: unoffered });
  const stored = { ...pod.desired.spec, gpuTypeIds: spec.gpuTypeIds };
  const errors = validatePod(catalog, spec, stored);
  if (errors.length > 0) return new Fault("invalid_body", { detail: errors.join(" ") });
  const { machine, driver } = pod.placement;
  const since = now - heartbeatTiming.goneMs;
  const search = { since, machine, except: id, asker: askerOf(pod) };
  const volume = yield* findVolumeOfPod(spec);
  const placementRequest = {
    ...requestOf(catalog, spec, driver, volume),
    compute,
    unoffered: null,
  };
  const demand = { request: placementRequest, count: 1, volumeGb: 0 };
  const placement = yield* placeWithinQuota(pod, demand, search, (each) =>
    takePlace(placementRequest, each, now),
  );
  if (placement instanceof Fault) return placement;
  if (!("placed" in placement)) {
    const unfit = yield* cudaUnfit(machine, placementRequest);
    if (unfit) return unfit;
    const what = compute.kind === "GPU" && compute.count > 0 ? "GPUs" : "CPUs, memory or disk";
    return new Fault("machine_full", { what }, { passedOver: placement.passedOver });
  }
  const { placed } = placement;
  const prices = pricesOf(catalog, spec, costOf(catalog, spec, placed));
  const gpuCount = placed.gpuIndices.length;
  const coveredGpus = yield* coverOf(familyOf(pod), gpuCount, now);
  const ahead = paidAhead({ cost: prices.cost, coveredGpus }, gpuCount);
  const increase = prices.runningRate - ahead - pod.pricing.stoppedRate;
  const place = { gpus: placed.gpuIndices, gpuTypeId: placed.gpuTypeId, vcpus: compute.vcpus };
  const adds = additionOfStart(pod, place, prices);
  const refusal = yield* spend(pod, { rate: increase, adds }, now);
  if (refusal) return refusal;
  yield* evictFrom(placed, now);
  const { vcpus, memoryMb } = compute;
  const { gpuCount: desiredGpus, bidPerGpu } = spec;
  const lasting = { ...pod.desired.spec, gpuCount: desiredGpus, bidPerGpu };
  yield* replacePod(pod, { placed, spec: lasting, vcpus, memoryMb, prices });
  yield* movePod(pod, { event: "start", cause: "started", reason: null, by, at: now });
  return (yield* findPod(id))!;
}

/** The machine stays the same, so that another version can never fit. */
function* cudaUnfit(machine: string, { cuda }: PlacementRequest): Tx<Fault | null> {
  const known = (yield* knownMachines()).find((each) => each.machine === machine);
  const version = known?.inventory.cudaVersion ?? null;
  if (satisfiesCuda(cuda, version) || known === undefined) return null;
  const has = version === null ? "an unknown CUDA version" : `CUDA ${version}`;
  return new Fault("cuda_unfit", { has, required: describeCudaDemand(cuda) });
}
