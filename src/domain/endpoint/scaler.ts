// The two documented scalers: how many workers the queue calls for, before any limit is applied.

import { type Census, capacity, type Fleet } from "./fleet.ts";

/** What a scaler says. */
export interface Call {
  /** Workers wanted, those that exist included. */
  wanted: number;
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
  /** When the call changes by time alone. */
  wakeAt: number | null;
}

export function callFor(fleet: Fleet, count: Census): Call {
  return fleet.policy.scalerType === "QUEUE_DELAY"
    ? queueDelay(fleet, count)
    : requestCount(fleet, count);
}

/**
 * A job that finds no worker gets one at once. Beyond that, when the oldest job has waited for the
 * delay and no worker was started within the delay, one more; where the line is long, as many more
 * as there are jobs in line per worker, but the fleet at most doubles. Idle and starting workers
 * are help under way: never more are on their way than jobs wait for them.
 */
function queueDelay({ policy, queue, workers, now }: Fleet, { all }: Census): Call {
  const have = capacity(all);
  const stay = (code: Call["code"], wakeAt: number | null = null): Call => {
    return { wanted: have, floor: 0, code, wakeAt };
  };
  if (queue.waiting === 0) return stay(quietCode(queue.waitingLowPriority, have));
  if (have === 0) return { wanted: 1, floor: 0, code: "first_worker", wakeAt: null };
  const unserved = queue.waiting - all.idle - all.starting;
  if (unserved <= 0) return stay("help_under_way");
  const lastStartAt = Math.max(...workers.map((worker) => worker.startedAt));
  const dueAt = Math.max(queue.oldestWaitingAt ?? now, lastStartAt) + policy.scalerValue * 1_000;
  if (now < dueAt) return stay("delay_running", dueAt);
  const perWorker = Math.floor(queue.waiting / have);
  const step = Math.max(1, Math.min(perWorker, have));
  return { wanted: have + step, floor: 0, code: "queue_delay", wakeAt: null };
}

/**
 * One worker per `scalerValue` jobs, queued or in progress. Jobs of low priority count only as far
 * as they keep a worker from the others, one per busy worker, so that by themselves they never
 * call for more workers than are busy.
 */
function requestCount({ policy, queue }: Fleet, { all }: Census): Call {
  const have = capacity(all);
  const inTheWay = Math.min(queue.inProgressLowPriority, all.busy);
  const jobs = queue.waiting + queue.inProgress + inTheWay;
  const wanted = Math.ceil(jobs / policy.scalerValue);
  if (wanted > have) return { wanted, floor: wanted, code: "request_count", wakeAt: null };
  const code = queue.waiting > 0 ? "help_under_way" : quietCode(queue.waitingLowPriority, have);
  return { wanted: have, floor: wanted, code, wakeAt: null };
}

function quietCode(waitingLowPriority: number, have: number) {
  return waitingLowPriority > 0 && have === 0 ? "low_priority_waits" : "enough";
}
