// The desired number of workers of an endpoint: the scaler's result, limited by workersMin and
// workersMax and delayed by the back-off. Workers of every version count; roll-out.ts replaces
// outdated ones.

import { permittedStarts } from "./crash-loop-back-off.ts";
import { type Census, capacity, census, type Drain, earliest, type Fleet, total } from "./fleet.ts";
import { decideScaleDown } from "./scale-down.ts";
import { callFor, type ScalerDecision } from "./scaler.ts";

export interface ScalePlan {
  /** Workers of the current version to start. */
  start: number;
  drain: Drain[];
  reason: ScaleReason;
  /** The earliest instant at which the decision may change without another event. */
  wakeAt: number | null;
}

export interface ScaleReason {
  code:
    | ScalerDecision["code"]
    | "paused"
    | "workers_min"
    | "workers_max"
    | "backing_off"
    | "crash_loop";
  facts: ScaleFacts;
}

/** The evidence behind a reason. */
export interface ScaleFacts {
  /** The desired number of workers before workersMax and the back-off are applied. */
  desired: number;
  starting: number;
  idle: number;
  busy: number;
  draining: number;
  unhealthy: number;
  outdated: number;
  waiting: number;
  waitingLowPriority: number;
  oldestWaitingMs: number | null;
}

export function decideScale(fleet: Fleet): ScalePlan {
  const { policy, backOff, now } = fleet;
  const count = census(fleet);
  const workersMin = Math.min(policy.workersMin, policy.workersMax);
  const call = callFor(fleet, count);
  const desired = Math.max(call.desired, workersMin);
  const have = capacity(count.all);
  const missing = Math.max(0, desired - have);
  const places = freePlaces(fleet, count);
  const permitted = permittedStarts(backOff, now, count.current);
  const start = Math.min(missing, places, permitted);
  const down = decideScaleDown(fleet, count, Math.max(workersMin, call.floor));
  const backOffUntil = missing > 0 && now < backOff.allowStartAt ? backOff.allowStartAt : null;
  return {
    start,
    drain: down.drain,
    reason: {
      code: reasonCode(fleet, { call, have, missing, places, permitted }),
      facts: factsOf(fleet, count, desired),
    },
    wakeAt: earliest(call.wakeAt, down.wakeAt, backOffUntil),
  };
}

/** A worker counts until it has ended, so that workersMax bounds the workers that really run. While
 * an outdated worker finishes, one more may run, so that a long last job does not block the new
 * version. */
function freePlaces({ policy }: Fleet, { all, outdated }: Census): number {
  const beside = policy.workersMax > 0 && total(outdated) > 0 ? 1 : 0;
  const unused = policy.workersMax - capacity(all);
  return Math.max(0, Math.min(unused, policy.workersMax + beside - total(all)));
}

interface Limits {
  call: ScalerDecision;
  have: number;
  missing: number;
  places: number;
  permitted: number;
}

function reasonCode(
  { policy, backOff }: Fleet,
  { call, have, missing, places, permitted }: Limits,
) {
  if (policy.workersMax === 0) return "paused";
  if (missing === 0) return call.code;
  if (permitted === 0 && backOff.verdict !== "ok") return backOff.verdict;
  if (places === 0) return "workers_max";
  return call.desired > have ? call.code : "workers_min";
}

function factsOf({ queue, now }: Fleet, count: Census, desired: number): ScaleFacts {
  const { waiting, waitingLowPriority, oldestWaitingAt } = queue;
  return {
    desired,
    ...count.all,
    outdated: total(count.outdated),
    waiting,
    waitingLowPriority,
    oldestWaitingMs: oldestWaitingAt === null ? null : Math.max(0, now - oldestWaitingAt),
  };
}
