// Creates a Pod: one commit takes its place and stores it as RUNNING. The request does not wait for the
// container.

import type { Creator } from "../../domain/account.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { ClusterMember } from "../../domain/cluster/cluster.ts";
import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import type { Placed } from "../../domain/placement/decide.ts";
import { computeOf, costOf } from "../../domain/pod/compute.ts";
import type { Services } from "../../domain/pod/container/services.ts";
import { noBackoff, notObserved, type Pod } from "../../domain/pod/pod.ts";
import { type PodRequest, type PodTerms, termsOf } from "../../domain/pod/pod-request.ts";
import { paidAhead, pricesOf } from "../../domain/pod/prices.ts";
import type { PodSpec } from "../../domain/pod/spec.ts";
import { additionOf } from "../../domain/quota/of-pod.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findPod } from "../../store/pod/row.ts";
import { lockPricesShared } from "../../store/price-book/lock.ts";
import { createOnce } from "../../transactions/idempotency/create-once.ts";
import { requireMembership } from "../../transactions/member/require-membership.ts";
import { spend } from "../../transactions/money/spend.ts";
import { placePodVolume } from "../../transactions/network-volume/of-pod.ts";
import { askerOf } from "../../transactions/place/reserved.ts";
import { evictFrom, takePlace } from "../../transactions/place/take.ts";
import { placeWithinQuota } from "../../transactions/place/within-quota.ts";
import { requireIdleRule } from "../../transactions/pod/idle.ts";
import { insertPod } from "../../transactions/pod/insert.ts";
import { requirePublicPorts } from "../../transactions/pod/require-ports.ts";
import { coverOf, familyOf } from "../../transactions/savings-plan/cover.ts";
import { startPlan } from "../../transactions/savings-plan/start.ts";
import type { FlowDeps } from "../flow-deps.ts";
import { planFor, type RequestedPlan } from "../savings-plan/for-pod.ts";
import { throwRefusal } from "../throw-refusal.ts";
import type { PodRules } from "../workload/pod-rules.ts";
import { type ResolvedPod, resolveSpec, type UnresolvedPod } from "./resolve-spec.ts";

export interface PodDeps extends FlowDeps, PodRules {
  catalog: Catalog;
  heartbeatTiming: HeartbeatTiming;
}

export interface NewPod extends Creator, PodTerms {
  request: PodRequest;
  /** The most it may cost, in micro-dollars per hour. */
  mostPerHr?: number | null;
  services?: Services;
  /** A savings plan to buy for it. */
  savingsPlan?: RequestedPlan;
  /** False if it is created later, in the absence of its creator, whom a refusal then names. */
  isCaller?: boolean;
  /** Places that others wait for, as a search names them. */
  exceptPlaces?: ReadonlySet<string>;
  once: IdempotencyKey | null;
}

export async function createPod(deps: PodDeps, newPod: NewPod): Promise<Pod> {
  const id = deps.ids.short(14);
  const now = deps.clock.now();
  return throwRefusal(deps.store.write(createPodOnce, deps, newPod, id, now));
}

function* createPodOnce(deps: PodDeps, newPod: NewPod, id: string, now: number): Tx<Pod | Fault> {
  return yield* createOnce(newPod.once, now, () => createPodAs(deps, newPod, id, now));
}

/** Takes its place and inserts it, in a commit that may do more. */
export function* createPodAs(
  deps: PodDeps,
  newPod: NewPod,
  id: string,
  now: number,
): Tx<Pod | Fault> {
  const resolved = yield* resolveNewPod(deps, newPod);
  if (resolved instanceof Fault) return resolved;
  return yield* createResolved(deps, { ...newPod, id }, resolved, now);
}

/** Resolves the request of a creator who may make it, and locks what the Pod refers to. */
export function* resolveNewPod(
  deps: PodDeps,
  newPod: Pick<NewPod, "stopWhenIdle"> & UnresolvedPod,
): Tx<ResolvedPod | Fault> {
  yield* lockPricesShared(deps.catalog);
  const refusal =
    (yield* requireMembership(newPod)) ??
    (yield* requireIdleRule(newPod.owner?.id ?? null, newPod.stopWhenIdle));
  return refusal ?? (yield* resolveSpec(deps, newPod));
}

/** Takes the place of a Pod that was resolved in this transaction, and inserts it. */
export function* createResolved(
  deps: PodDeps,
  newPod: NewPod & { id: string },
  { spec, volume, request }: ResolvedPod,
  now: number,
): Tx<Pod | Fault> {
  const { catalog, heartbeatTiming } = deps;
  const { id, accountId } = newPod;
  const since = now - heartbeatTiming.goneMs;
  const search = { since, machine: null, except: null, asker: askerOf(newPod) };
  const { isCaller = true, exceptPlaces } = newPod;
  const subject = { ...newPod, isCaller };
  const demand = { request, count: 1, volumeGb: spec.volumeInGb };
  const placement = yield* placeWithinQuota(subject, demand, search, (each) =>
    takePlace(request, exceptPlaces ? { ...each, exceptPlaces } : each, now),
  );
  if (placement instanceof Fault) return placement;
  if (!("placed" in placement)) {
    return new Fault("no_capacity", {}, { passedOver: placement.passedOver });
  }
  const { placed } = placement;
  const pod = podAt(placed, catalog, { ...newPod, spec }, now);
  const plan = newPod.savingsPlan && planFor(deps, pod, newPod.savingsPlan);
  if (plan instanceof Fault) return plan;
  const gpuCount = placed.gpuIndices.length;
  const coveredGpus = plan ? plan.gpuCount : yield* coverOf(familyOf(pod), gpuCount, now);
  const { cost, runningRate } = pod.pricing;
  const rate = runningRate - paidAhead({ cost, coveredGpus }, gpuCount);
  const refusal =
    (yield* requirePublicPorts(deps.portLimits, { accountId, id, spec })) ??
    exceeds(cost, newPod.mostPerHr ?? null) ??
    (yield* spend(
      { ...pod, isCaller },
      { rate, ...(plan && { upfront: plan.upfrontCost }), adds: additionOf(pod) },
      now,
    ));
  if (refusal) return refusal;
  yield* evictFrom(placed, now);
  yield* placePodVolume(volume, placed);
  yield* insertPod(pod);
  if (plan) yield* startPlan(plan);
  return (yield* findPod(id))!;
}

export function exceeds(cost: number, limit: number | null): Fault | null {
  if (limit === null || cost <= limit) return null;
  return new Fault("too_dear", { cost: cost / 1_000_000, limit: limit / 1_000_000 });
}

/** The Pod at the place that was taken for it. */
export function podAt(
  placed: Placed,
  catalog: Catalog,
  newPod: NewPod & { id: string; spec: PodSpec; cluster?: ClusterMember },
  now: number,
): Pod {
  const { id, accountId, keyId, owner, spec, cluster = null } = newPod;
  const { name, labels, ...terms } = termsOf(newPod);
  const { vcpus, memoryMb, flavor } = computeOf(catalog, spec);
  return {
    id,
    accountId,
    keyId,
    ownerId: owner?.id ?? null,
    name,
    labels,
    createdAt: now,
    cluster,
    desired: {
      spec,
      state: "RUNNING",
      cause: "created",
      reason: null,
      changedAt: now,
      generation: 1,
      ...terms,
      runningSince: now,
      keptUntil: null,
    },
    placement: {
      machine: placed.machine,
      driver: placed.driver,
      gpuTypeId: placed.gpuTypeId,
      gpus: placed.gpuIndices,
      virtual: placed.virtual,
      cpuFlavorId: flavor?.id ?? null,
      vcpus,
      memoryMb,
    },
    pricing: { ...pricesOf(catalog, spec, costOf(catalog, spec, placed)), coveredGpus: 0 },
    observed: notObserved,
    backoff: noBackoff,
    idleSince: null,
    projectIdle: null,
    exemption: null,
    sharedLifetimes: { project: null, account: null },
    lifetimeWarning: null,
  };
}
