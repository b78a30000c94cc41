// How many workers an endpoint should have: the scaler's call, held between workersMin and
// workersMax and behind the brake. Workers of every version count here; roll-out.ts exchanges them.

import { permittedStarts } from "./crash-brake.ts";
import { type Census, capacity, census, type Drain, earliest, type Fleet, total } from "./fleet.ts";
import { decideScaleDown } from "./scale-down.ts";
import { type Call, callFor } from "./scaler.ts";

export interface ScalePlan {
  /** Workers of the current version to start. */
  start: number;
  drain: Drain[];
  reason: ScaleReason;
  /** The earliest instant at which the answer may change though nothing else happens. */
  wakeAt: number | null;
}

export interface ScaleReason {
  code: Call["code"] | "paused" | "workers_min" | "workers_max" | "backing_off" | "crash_loop";
  facts: ScaleFacts;
}

/** The evidence behind a reason. */
export interface ScaleFacts {
  /** Workers called for, before workersMax and the brake. */
  wanted: number;
  starting: number;
  idle: number;
  busy: number;
  draining: number;
  unhealthy: number;
  outdated: number;
  waiting: number;
  waitingLowPriority: number;
  oldestWaitingMs: number | null;
  /** Set while the brake holds starts back. */
  startAllowedAt: number | null;
}

export function decideScale(fleet: Fleet): ScalePlan {
  const { policy, brake, now } = fleet;
  const count = census(fleet);
  const workersMin = Math.min(policy.workersMin, policy.workersMax);
  const call = callFor(fleet, count);
  const wanted = Math.max(call.wanted, workersMin);
  const have = capacity(count.all);
  const missing = Math.max(0, wanted - have);
  const places = freePlaces(fleet, count);
  const permitted = permittedStarts(brake, now, count.current);
  const start = Math.min(missing, places, permitted);
  const down = decideScaleDown(fleet, count, Math.max(workersMin, call.floor));
  const held = missing > 0 && now < brake.allowStartAt ? brake.allowStartAt : null;
  return {
    start,
    drain: down.drain,
    reason: {
      code: reasonCode(fleet, { call, have, missing, places, permitted }),
      facts: factsOf(fleet, count, wanted),
    },
    wakeAt: earliest(call.wakeAt, down.wakeAt, held),
  };
}

/** Whoever has not ended yet keeps its place, so that workersMax bounds what really runs. Only while
 * an outdated worker is finishing may one more run beside it, so that a long last job does not
 * keep the new version out. */
function freePlaces({ policy }: Fleet, { all, outdated }: Census): number {
  const beside = policy.workersMax > 0 && total(outdated) > 0 ? 1 : 0;
  const unused = policy.workersMax - capacity(all);
  return Math.max(0, Math.min(unused, policy.workersMax + beside - total(all)));
}

interface Limits {
  call: Call;
  have: number;
  missing: number;
  places: number;
  permitted: number;
}

function reasonCode({ policy, brake }: Fleet, { call, have, missing, places, permitted }: Limits) {
  if (policy.workersMax === 0) return "paused";
  if (missing === 0) return call.code;
  if (permitted === 0 && brake.verdict !== "ok") return brake.verdict;
  if (places === 0) return "workers_max";
  return call.wanted > have ? call.code : "workers_min";
}

function factsOf({ queue, brake, now }: Fleet, count: Census, wanted: number): ScaleFacts {
  const { waiting, waitingLowPriority, oldestWaitingAt } = queue;
  return {
    wanted,
    ...count.all,
    outdated: total(count.outdated),
    waiting,
    waitingLowPriority,
    oldestWaitingMs: oldestWaitingAt === null ? null : now - oldestWaitingAt,
    startAllowedAt: now < brake.allowStartAt ? brake.allowStartAt : null,
  };
}
