// The replacement of outdated workers by workers of the current version. An outdated worker ends
// only once a ready new worker replaces it, so a version that crashes at its start causes no
// outage. The first new worker must become ready before more are started.

import { permittedStarts } from "./crash-loop-back-off.ts";
import {
  type Census,
  census,
  type Drain,
  earliest,
  type Fleet,
  type FleetWorker,
  idleTimeEndsAt,
  ready,
  total,
} from "./fleet.ts";

export interface RollOutPlan {
  /** Outdated workers to drain; a busy one finishes its jobs and takes no more. */
  drain: Drain[];
  /** Workers of the current version to start as replacements. */
  startReplacements: number;
  code: "no_roll_out" | "replacing" | "waits_for_place" | "backing_off" | "crash_loop";
  wakeAt: number | null;
}

export function decideRollOut(fleet: Fleet): RollOutPlan {
  const count = census(fleet);
  const outdated = fleet.workers.filter((worker) => worker.version !== fleet.version);
  const unready = outdated.filter((worker) => worker.state === "starting");
  const old = outdated.filter((worker) => worker.state === "idle" || worker.state === "busy");
  const needed = workersNeeded(fleet, count, old);
  const keep = Math.max(0, Math.min(needed - ready(count.current), old.length));
  const relieved = old.sort(idleThenOldest).slice(0, old.length - keep);
  const { start, code, heldUntil } = replacements(fleet, count, keep);
  const idleTimesEndAt = Math.max(...old.map((worker) => idleTimeEndsAt(worker, fleet.policy)));
  return {
    drain: [...unready, ...relieved].map(({ id }) => ({ id, why: "outdated" })),
    startReplacements: start,
    code: outdated.length > 0 ? code : "no_roll_out",
    wakeAt: earliest(heldUntil, idleTimesEndAt > fleet.now ? idleTimesEndAt : null),
  };
}

/**
 * The number of workers of any version that must be able to take jobs: those in use, workersMin,
 * and one while an outdated worker is within its idle timeout. Outdated workers that drain count as
 * in use, because their load will come again; otherwise the first new worker would appear to carry
 * everything.
 */
function workersNeeded({ policy, queue, now }: Fleet, count: Census, old: FleetWorker[]): number {
  const waiting = queue.waiting + queue.waitingLowPriority;
  const inUse = count.all.busy + count.outdated.draining + Math.min(waiting, count.all.idle);
  const warm = old.some((worker) => idleTimeEndsAt(worker, policy) > now) ? 1 : 0;
  return Math.min(Math.max(policy.workersMin, inUse, warm), policy.workersMax);
}

/** One new worker for every outdated one; it may exceed workersMax by one. */
function replacements({ policy, backOff, now }: Fleet, { all, current }: Census, keep: number) {
  const proven = ready(current) > 0;
  const missing = Math.max(0, (proven ? keep : Math.min(keep, 1)) - current.starting);
  const places = Math.max(0, policy.workersMax + 1 - total(all));
  const permitted = permittedStarts(backOff, now, current);
  const start = Math.min(missing, places, permitted);
  const heldUntil = missing > 0 && now < backOff.allowStartAt ? backOff.allowStartAt : null;
  return { start, code: codeOf(), heldUntil };

  function codeOf(): RollOutPlan["code"] {
    if (start > 0 || keep === 0) return "replacing";
    if (!proven && backOff.verdict !== "ok") return backOff.verdict;
    return missing > 0 && places === 0 ? "waits_for_place" : "replacing";
  }
}

function idleThenOldest(a: FleetWorker, b: FleetWorker): number {
  const busyLast = Number(a.state === "busy") - Number(b.state === "busy");
  return busyLast || a.version - b.version || a.startedAt - b.startedAt;
}
