// Decides which instants of a schedule run now, and when it is due again.

import type { CronTimes } from "../../base/cron/cron.ts";
import type { Schedule } from "./schedule.ts";

/** A run that begins sooner than this after its instant is not missed. */
const ON_TIME_MS = 60_000;
/** The most instants that run in one go. */
const MAX_CAUGHT_UP = 50;
/** Missed instants are counted up to this number. */
const MAX_COUNTED = 100;

export interface RunPlan {
  /** Instants that run, the earliest first. */
  due: number[];
  /** The instants before them that do not run; null if there are none. */
  missed: MissedRuns | null;
  nextRunAt: number | null;
}

interface MissedRuns {
  first: number;
  last: number;
  /** `MAX_COUNTED` stands for that many or more. */
  count: number;
}

/** The schedule is due: its `nextRunAt` has come. */
export function planRuns(
  { spec, nextRunAt }: Pick<Schedule, "spec"> & { nextRunAt: number },
  times: CronTimes,
  now: number,
): RunPlan {
  const { missedRunPolicy, catchUpWindowMs } = spec;
  const windowMs = missedRunPolicy === "SKIP" ? 0 : catchUpWindowMs;
  const since = Math.max(nextRunAt, now - Math.max(windowMs, ON_TIME_MS - 1));
  const limit = missedRunPolicy === "RUN_ALL" ? MAX_CAUGHT_UP : 1;
  const due = times
    .previous(now, limit)
    .filter((at) => at >= since)
    .reverse();
  return {
    due,
    missed: missedBefore(due[0] ?? now + 1, nextRunAt, times),
    nextRunAt: times.next(now),
  };
}

function missedBefore(end: number, first: number, times: CronTimes): MissedRuns | null {
  const [last] = times.previous(end - 1, 1);
  if (last === undefined || last < first) return null;
  let count = 0;
  for (let at: number | undefined = last; at !== undefined && at >= first; count++) {
    if (count === MAX_COUNTED) break;
    [at] = times.previous(at - 1, 1);
  }
  return { first, last, count };
}

export function missedSentence({ first, last, count }: MissedRuns): string {
  const [from, to] = [first, last].map((at) => new Date(at).toISOString());
  if (count === 1) return `Freehold was not running at ${from}.`;
  const many = count >= MAX_COUNTED ? `${MAX_COUNTED} or more` : count;
  return `Freehold was not running at ${many} times from ${from} to ${to}.`;
}
