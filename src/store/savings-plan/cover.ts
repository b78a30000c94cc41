// Keeps it true which Pods savings plans cover, and what those cost. Whoever moves a Pod, or makes a
// plan, says so here in the same turn; an end that has come is seen before what happens after it.

import {
  type Coverable,
  cover,
  coverOfNew,
  type SavingsPlan,
} from "../../domain/money/savings-plan.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { paidAhead } from "../../domain/pod/prices.ts";
import { reprice } from "../money/usage.ts";
import { ringPod } from "../pod/ring.ts";
import { numbers } from "../pod/row.ts";
import { change, rows, type Verb } from "../statement.ts";
import { endPlan, type Family, insertPlan, lockPlans, movePlan } from "./plan.ts";

/** Null where no plan can be about it: of what has no GPU, or can be taken away. */
export function familyOf({
  accountId,
  gpuTypeId,
  spec,
}: Pick<Pod, "accountId" | "gpuTypeId" | "spec">): Family | null {
  return gpuTypeId === null || spec.interruptible ? null : { accountId, gpuTypeId };
}

/** A Pod was made, was moved, or has other GPUs or prices. */
export function* coverPods(family: Family | null, at: number): Verb<void> {
  const plans = family ? yield* lockPlans(family) : [];
  if (plans.length === 0) return;
  const left = yield* passEnds(family!, plans, at);
  yield* settle(family!, left, at);
}

/** A new one covers nothing of the time before it. */
export function* addPlan(plan: SavingsPlan): Verb<void> {
  yield* endPlans(plan, plan.startAt);
  yield* insertPlan(plan);
  yield* coverPods(plan, plan.startAt);
}

/** Plans that are over by `at` cover nothing from their end on, whenever that is seen. */
export function* endPlans(family: Family | null, at: number): Verb<void> {
  const plans = family ? yield* lockPlans(family) : [];
  if (plans.some(({ endAt }) => endAt <= at)) yield* passEnds(family!, plans, at);
}

/** How many GPUs of a Pod that is to run would be paid for. */
export function* coverOf(family: Family | null, gpus: number, at: number): Verb<number> {
  const plans = family ? yield* lockPlans(family) : [];
  if (plans.length === 0) return 0;
  const live = plans.filter(({ endAt }) => endAt > at);
  return coverOfNew(live, (yield* podsIn(family!)).map(coverable), gpus);
}

/** One end after another; returns those that go on. */
function* passEnds(family: Family, plans: SavingsPlan[], at: number): Verb<SavingsPlan[]> {
  let left = plans;
  for (;;) {
    const end = Math.min(...left.map(({ endAt }) => endAt));
    if (left.length === 0 || end > at) return left;
    for (const plan of left) if (plan.endAt === end) yield* endPlan(plan);
    left = left.filter(({ endAt }) => endAt > end);
    yield* settle(family, left, end);
  }
}

function* settle(family: Family, plans: SavingsPlan[], at: number): Verb<void> {
  const pods = yield* podsIn(family);
  const { covered, podOf } = cover(plans, pods.map(coverable));
  for (const plan of plans) {
    const podId = podOf.get(plan.id);
    if (podId === undefined || podId === plan.podId) continue;
    plan.podId = podId;
    yield* movePlan(plan);
  }
  for (const pod of pods) yield* coverPod(pod, covered.get(pod.id) ?? 0, at);
}

function* coverPod(pod: Found, coveredGpus: number, at: number): Verb<void> {
  if (coveredGpus !== pod.coveredGpus) {
    yield* change("update pod set covered_gpus = ? where id = ?", coveredGpus, pod.id);
    yield* ringPod(pod);
  }
  const rate = pod.runningRate - paidAhead({ ...pod, coveredGpus });
  yield* reprice(pod.id, { running: rate }, at);
}

type Found = Pick<Pod, "id" | "accountId" | "gpus" | "cost" | "runningRate" | "coveredGpus">;

const coverable = ({ id, gpus }: Found): Coverable => ({ id, gpus: gpus.length });

/** Those that are wanted to run on GPUs of the type, on demand, in the order of their making. */
function* podsIn({ accountId, gpuTypeId }: Family): Verb<Found[]> {
  const found = yield* rows<Omit<Found, "gpus"> & { gpus: string }>(
    `select id, account_id as "accountId", gpus, cost, running_rate as "runningRate",
       covered_gpus as "coveredGpus"
     from pod where account_id = ? and state = 'RUNNING' and gpu_type_id = ? and gpus <> ''
       and interruptible = 0 order by created_at, id`,
    accountId,
    gpuTypeId,
  );
  return found.map((pod) => ({ ...pod, gpus: numbers(pod.gpus) }));
}
