// Updates which Pods savings plans cover, and the cost of those Pods. A transaction that moves a
// Pod or adds a plan calls this. A plan's end takes effect before anything that happened after it.

import {
  type Coverable,
  cover,
  coverOfNew,
  type SavingsPlan,
} from "../../domain/money/savings-plan.ts";
import type { PodDesired, PodPlacement } from "../../domain/pod/pod.ts";
import { paidAhead } from "../../domain/pod/prices.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { type CoverablePod, coverablePods, setCoveredGpus } from "../../store/pod/covered.ts";
import {
  endPlan,
  type Family,
  insertPlan,
  lockPlans,
  movePlan,
} from "../../store/savings-plan/savings-plan.ts";
import { reprice } from "../money/meter.ts";

/** The plans that may cover a Pod; null if none can, because it has no GPU or is interruptible. */
export function familyOf({
  accountId,
  placement: { gpuTypeId },
  desired: { spec },
}: {
  accountId: string;
  placement: Pick<PodPlacement, "gpuTypeId">;
  desired: Pick<PodDesired, "spec">;
}): Family | null {
  return gpuTypeId === null || spec.interruptible ? null : { accountId, gpuTypeId };
}

/**
 * Recomputes the coverage of an account's Pods on one GPU type, after a Pod was created or moved,
 * or its GPUs or prices changed.
 */
export function* coverPods(family: Family | null, at: number): Tx<void> {
  const plans = family ? yield* lockPlans(family) : [];
  if (plans.length === 0) return;
  const active = yield* applyEnds(family!, plans, at);
  yield* applyCover(family!, active, at);
}

/** Adds a plan. It covers nothing before its start. */
export function* addPlan(plan: SavingsPlan): Tx<void> {
  yield* endPlans(plan, plan.startAt);
  yield* insertPlan(plan);
  yield* coverPods(plan, plan.startAt);
}

/** Ends the plans that end by `at`. They cover nothing after their end, however late this runs. */
export function* endPlans(family: Family | null, at: number): Tx<void> {
  const plans = family ? yield* lockPlans(family) : [];
  if (plans.some(({ endAt }) => endAt <= at)) yield* applyEnds(family!, plans, at);
}

/** The number of GPUs that would be covered if a Pod with so many of them started. */
export function* coverOf(family: Family | null, gpus: number, at: number): Tx<number> {
  const plans = family ? yield* lockPlans(family) : [];
  if (plans.length === 0) return 0;
  const live = plans.filter(({ endAt }) => endAt > at);
  return coverOfNew(live, (yield* podsOf(family!)).map(coverable), gpus);
}

/** Applies the ends up to `at` in order; returns the plans that are still active. */
function* applyEnds(family: Family, plans: SavingsPlan[], at: number): Tx<SavingsPlan[]> {
  let active = plans;
  for (;;) {
    const end = Math.min(...active.map(({ endAt }) => endAt));
    if (active.length === 0 || end > at) return active;
    for (const plan of active) if (plan.endAt === end) yield* endPlan(plan);
    active = active.filter(({ endAt }) => endAt > end);
    yield* applyCover(family, active, end);
  }
}

function* applyCover(family: Family, plans: SavingsPlan[], at: number): Tx<void> {
  const pods = yield* podsOf(family);
  const { covered, podOf } = cover(plans, pods.map(coverable));
  for (const plan of plans) {
    const podId = podOf.get(plan.id);
    if (podId === undefined || podId === plan.podId) continue;
    plan.podId = podId;
    yield* movePlan(plan);
  }
  for (const pod of pods) yield* coverPod(pod, covered.get(pod.id) ?? 0, at);
}

function* coverPod(pod: CoverablePod, coveredGpus: number, at: number): Tx<void> {
  if (coveredGpus !== pod.coveredGpus) yield* setCoveredGpus(pod, coveredGpus);
  const rate = pod.runningRate - paidAhead({ ...pod, coveredGpus }, pod.gpus.length);
  yield* reprice(pod.id, { running: { rate, diskRate: pod.runningRate - pod.cost } }, at);
}

const podsOf = ({ accountId, gpuTypeId }: Family) => coverablePods(accountId, gpuTypeId);

const coverable = ({ id, gpus }: CoverablePod): Coverable => ({ id, gpus: gpus.length });
