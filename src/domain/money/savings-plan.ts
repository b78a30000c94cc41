// Savings plans: GPUs of one type that are paid for in advance. Decides which Pods the plans cover.
// Pure.

import { HOUR_MS } from "../../base/units.ts";

const HOURS_PER_MONTH = 730;

export const planLengths = ["threeMonth", "sixMonth"] as const;
export type PlanLength = (typeof planLengths)[number];

const months: Record<PlanLength, number> = { threeMonth: 3, sixMonth: 6 };

export interface SavingsPlan {
  id: string;
  accountId: string;
  gpuTypeId: string;
  /** The most GPUs that it covers, all of one Pod. */
  gpuCount: number;
  length: PlanLength;
  /** Micro-dollars per GPU-hour at the time of purchase; 0 if the operator granted it. */
  costPerHr: number;
  /** Micro-dollars for the whole plan. */
  upfrontCost: number;
  /** The Pod that it covers, or covered last; null if it never covered one. */
  podId: string | null;
  startAt: number;
  endAt: number;
  /** False once its end was processed; it then covers nothing. */
  active: boolean;
}

const hoursOf = (length: PlanLength) => months[length] * HOURS_PER_MONTH;

export const planEnd = (startAt: number, length: PlanLength) => startAt + hoursOf(length) * HOUR_MS;

/** Micro-dollars; `costPerHr` is per GPU. */
export function upfrontOf(costPerHr: number, gpuCount: number, length: PlanLength): number {
  return costPerHr * gpuCount * hoursOf(length);
}

/** "savings plan p1: 2 NVIDIA A40, threeMonth" */
export const formatPlan = ({ id, gpuCount, gpuTypeId, length }: SavingsPlan) =>
  `savings plan ${id}: ${gpuCount} ${gpuTypeId}, ${length}`;

/**
 * Parses the term as clients write it: "threeMonth", "3 months", "6m", "SIX_MONTHS"; null for any
 * other text.
 */
export function planLengthOf(text: string): PlanLength | null {
  const plain = text.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (/^(?:three|3)(?:m|mo|months?)$/.test(plain)) return "threeMonth";
  return /^(?:six|6)(?:m|mo|months?)$/.test(plain) ? "sixMonth" : null;
}

/** A Pod that runs on demand on GPUs of the plans' type. */
export interface Coverable {
  id: string;
  gpus: number;
}

export interface Coverage {
  /** The number of covered GPUs of each Pod; a Pod without covered GPUs is omitted. */
  covered: Map<string, number>;
  /** The covered Pod of each plan that covers one. */
  podOf: Map<string, string>;
}

type Covering = Pick<SavingsPlan, "id" | "podId" | "gpuCount">;

/**
 * A plan stays with its Pod while the Pod runs. If the Pod stops, or other plans cover all of it,
 * the plan moves to the Pod of which it covers most; of equal Pods, to the first.
 */
export function cover(plans: readonly Covering[], pods: readonly Coverable[]): Coverage {
  let found = settle(plans, pods);
  // A plan that moved may leave another plan with nothing to cover.
  for (const _ of plans) {
    const settled = found.podOf;
    found = settle(
      plans.map((plan) => ({ ...plan, podId: settled.get(plan.id) ?? plan.podId })),
      pods,
    );
    if (plans.every(({ id }) => found.podOf.get(id) === settled.get(id))) break;
  }
  return found;
}

function settle(plans: readonly Covering[], pods: readonly Coverable[]): Coverage {
  const bare = new Map(pods.map(({ id, gpus }) => [id, gpus]));
  const podOf = new Map<string, string>();
  const take = (planId: string, podId: string, gpuCount: number) => {
    const left = bare.get(podId) ?? 0;
    if (left === 0) return;
    bare.set(podId, Math.max(0, left - gpuCount));
    podOf.set(planId, podId);
  };
  for (const { id, podId, gpuCount } of plans) if (podId !== null) take(id, podId, gpuCount);
  for (const { id, gpuCount } of plans) {
    if (podOf.has(id)) continue;
    const largest = Math.max(0, ...[...bare.values()].map((left) => Math.min(left, gpuCount)));
    const first = pods.find((pod) => Math.min(bare.get(pod.id)!, gpuCount) === largest);
    if (first && largest > 0) take(id, first.id, gpuCount);
  }
  const covered = new Map<string, number>();
  for (const { id, gpus } of pods) {
    const count = gpus - bare.get(id)!;
    if (count > 0) covered.set(id, count);
  }
  return { covered, podOf };
}

/** The number of covered GPUs of a Pod that comes last. */
export function coverOfNew(
  plans: readonly Covering[],
  pods: readonly Coverable[],
  gpus: number,
): number {
  const id = "the new one";
  return cover(plans, [...pods, { id, gpus }]).covered.get(id) ?? 0;
}
