// The two documented scalers: the number of workers that the queue calls for, before any limit
// applies.

import { type Census, capacity, type Fleet } from "./fleet.ts";

/** A scaler's decision. */
export interface ScalerDecision {
  /** The desired number of workers, existing ones included. */
  desired: number;
  /** Idle workers are not drained below this number. */
  floor: number;
  code:
    | "enough"
    | "low_priority_waits"
    | "first_worker"
    | "help_under_way"
    | "delay_running"
    | "queue_delay"
    | "request_count";
  /** The instant at which the result changes without another event. */
  wakeAt: number | null;
}

export function callFor(fleet: Fleet, count: Census): ScalerDecision {
  return fleet.policy.scalerType === "QUEUE_DELAY"
    ? queueDelay(fleet, count)
    : requestCount(fleet, count);
}

/**
 * A job without a worker gets one at once. Beyond that, if the oldest job has waited for the delay
 * and no worker was started within the delay, one more worker starts. A long queue starts as many
 * more as there are queued jobs per worker, but at most doubles the fleet. Idle and starting
 * workers count: no more are starting than jobs wait for them.
 */
function queueDelay({ policy, queue, workers, now }: Fleet, { all }: Census): ScalerDecision {
  const have = capacity(all);
  const stay = (code: ScalerDecision["code"], wakeAt: number | null = null): ScalerDecision => {
    return { desired: have, floor: 0, code, wakeAt };
  };
  if (queue.waiting === 0) return stay(quietCode(queue.waitingLowPriority, have));
  if (have === 0) return { desired: 1, floor: 0, code: "first_worker", wakeAt: null };
  const unserved = queue.waiting - all.idle - all.starting;
  if (unserved <= 0) return stay("help_under_way");
  const lastStartAt = Math.max(...workers.map((worker) => worker.startedAt));
  const dueAt = Math.max(queue.oldestWaitingAt ?? now, lastStartAt) + policy.scalerValue * 1_000;
  if (now < dueAt) return stay("delay_running", dueAt);
  const perWorker = Math.floor(queue.waiting / have);
  const step = Math.max(1, Math.min(perWorker, have));
  return { desired: have + step, floor: 0, code: "queue_delay", wakeAt: null };
}

/**
 * One worker per `scalerValue` jobs, queued or in progress. Jobs of low priority count only as far
 * as they occupy a worker, one per busy worker, so by themselves they never call for more workers
 * than are busy.
 */
function requestCount({ policy, queue }: Fleet, { all }: Census): ScalerDecision {
  const have = capacity(all);
  const inTheWay = Math.min(queue.inProgressLowPriority, all.busy);
  const jobs = queue.waiting + queue.inProgress + inTheWay;
  const desired = Math.ceil(jobs / policy.scalerValue);
  if (desired > have) return { desired, floor: desired, code: "request_count", wakeAt: null };
  const code = queue.waiting > 0 ? "help_under_way" : quietCode(queue.waitingLowPriority, have);
  return { desired: have, floor: desired, code, wakeAt: null };
}

function quietCode(waitingLowPriority: number, have: number) {
  return waitingLowPriority > 0 && have === 0 ? "low_priority_waits" : "enough";
}
