// The scale-down decision: it ends unhealthy workers, workers above workersMax, and workers that were
// idle for their whole idle timeout. It keeps a worker that a waiting job could use.

import {
  type Census,
  capacity,
  type Drain,
  earliest,
  type Fleet,
  type FleetWorker,
  idleTimeEndsAt,
  ready,
} from "./fleet.ts";

export interface ScaleDown {
  drain: Drain[];
  wakeAt: number | null;
}

/** `floor` is the number of ready workers that idle timeouts do not go below. */
export function decideScaleDown(fleet: Fleet, count: Census, floor: number): ScaleDown {
  const unhealthy = fleet.workers.filter((worker) => worker.state === "unhealthy");
  const surplus = aboveMax(fleet, count);
  const drained = new Set(surplus);
  const idle = fleet.workers.filter((worker) => worker.state === "idle" && !drained.has(worker));
  const busy = fleet.workers.filter((worker) => worker.state === "busy" && !drained.has(worker));
  const { waiting, waitingLowPriority } = fleet.queue;
  const spare = Math.max(
    0,
    Math.min(idle.length + busy.length - floor, idle.length - waiting - waitingLowPriority),
  );
  const ends = (worker: FleetWorker) => idleTimeEndsAt(worker, fleet.policy);
  const over = idle
    .filter((worker) => ends(worker) <= fleet.now)
    .sort((a, b) => ends(a) - ends(b))
    .slice(0, spare);
  const later = idle.map(ends).filter((instant) => instant > fleet.now);
  return {
    drain: [
      ...unhealthy.map(({ id }): Drain => ({ id, why: "unhealthy" })),
      ...surplus.map(({ id }): Drain => ({ id, why: "workers_max" })),
      ...over.map(({ id }): Drain => ({ id, why: "idle" })),
    ],
    wakeAt: spare > 0 ? earliest(...later) : null,
  };
}

/**
 * The surplus ends in this order, newest first: starting, idle, busy. During a roll-out one worker
 * more than workersMax is not surplus.
 */
function aboveMax(fleet: Fleet, { all, current, outdated }: Census): FleetWorker[] {
  const { workersMax } = fleet.policy;
  const rolling = workersMax > 0 && ready(outdated) > 0 && capacity(current) > 0;
  const surplus = capacity(all) - workersMax - (rolling ? 1 : 0);
  if (surplus <= 0) return [];
  const order = ["starting", "idle", "busy"];
  return fleet.workers
    .filter((worker) => order.includes(worker.state))
    .sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || b.startedAt - a.startedAt)
    .slice(0, surplus);
}
