// What holds for schedules: each instant has one run, unless nothing was there to run it, and no run has an instant of
// its own making.

import { type CronTimes, parseCron } from "../../../src/base/cron/cron.ts";
import { type Invariant, query, violate } from "./invariant.ts";

/** An instant fires within this. */
const LATE_MS = 10_000;
/** A schedule keeps 50 runs. */
const MAX_COMPARED = 40;

interface ScheduleRow {
  id: string;
  spec: string;
  paused_at: number | null;
}

interface RunRow {
  schedule_id: string;
  scheduled_at: number;
}

export function scheduleInvariants(): Invariant[] {
  let comparedTo = 0;
  /** A run never changes its instant, nor a schedule its cron expression. */
  const known = new Set<string>();
  const parsed = new Map<string, CronTimes>();
  return [
    async (simulation) => {
      const schedules = await query<ScheduleRow>(
        simulation,
        "select id, spec, paused_at from schedule where paused_at is null",
      );
      const runs = await query<RunRow>(
        simulation,
        "select schedule_id, scheduled_at from schedule_run where trigger_kind = 'SCHEDULE'",
      );
      const { world, model } = simulation;
      const until = world.now - LATE_MS;
      // While no replica could run it, its policy decides what is made up for.
      const from = Math.max(comparedTo, world.upSince, world.orderlySince);
      for (const { id, spec } of schedules) {
        const { cron, timeZone } = JSON.parse(spec) as { cron: string; timeZone: string };
        const name = `${cron} ${timeZone}`;
        const times = parsed.get(name) ?? (await parseCron(cron, timeZone));
        parsed.set(name, times);
        const own = runs.filter(({ schedule_id }) => schedule_id === id);
        const fired = new Set(own.map(({ scheduled_at }) => scheduled_at));
        if (fired.size < own.length) violate("an instant of a schedule fires once", id);
        const since = Math.max(
          from,
          model.schedules.find((each) => each.id === id)?.changedAt ?? 0,
        );
        const due = instants(times, since, until);
        const missing = due.find((at) => !fired.has(at));
        if (missing !== undefined) violate("every instant of a schedule fires", { id, missing });
        for (const at of fired) {
          if (known.has(`${id} ${at}`)) continue;
          if (times.next(at - 1) !== at) violate("a schedule fires at its instants", { id, at });
          known.add(`${id} ${at}`);
        }
        simulation.coverage.count("schedule", "instant fired", due.length);
      }
      // What ran before the clock was set back does not run again.
      comparedTo = Math.max(comparedTo, until);
    },
  ];
}

/** The last instants after `since`, up to `until`. */
function instants(times: CronTimes, since: number, until: number): number[] {
  const found = [];
  for (let at = times.next(since); at !== null && at <= until; at = times.next(at)) found.push(at);
  return found.slice(-MAX_COMPARED);
}
