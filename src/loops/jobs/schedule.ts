// Fires schedules at their instants.

import type { SubmitDeps } from "../../flows/job/submit.ts";
import type { ProcessMetrics } from "../../flows/metrics/process-metrics.ts";
import { fire } from "../../flows/schedule/fire.ts";
import { topic } from "../../store/engine/notifier.ts";
import { dueSchedules, nextScheduleAfter } from "../../store/schedule/schedule.ts";
import { type Loop, PartialFailure } from "../engine/loop.ts";

/** Schedules that are fired at the same time, so that their commits share a sync. */
const MAX_CONCURRENT = 20;

export function scheduleLoop(
  deps: SubmitDeps & { metrics: Pick<ProcessMetrics, "recordScheduleRun"> },
): Loop {
  const { store, clock, metrics } = deps;
  return {
    name: "schedule",
    shared: true,
    periodMs: 5_000,
    restMs: 20,
    topics: [topic.schedules],
    async run() {
      const now = clock.now();
      const due = await store.read(dueSchedules, now, MAX_CONCURRENT);
      const runs = await Promise.allSettled(due.map((schedule) => fire(deps, schedule)));
      const fired = runs.filter((each) => each.status === "fulfilled");
      for (const outcome of fired.flatMap(({ value }) => value)) metrics.recordScheduleRun(outcome);
      const failure = runs.find((each) => each.status === "rejected");
      if (!failure) return store.read(nextScheduleAfter, 0);
      // One that fails does not make the others late. It stays due, and the next pass tries it again.
      const isMoreDue = due.length === MAX_CONCURRENT && fired.length > 0;
      const again = isMoreDue ? now : await store.read(nextScheduleAfter, now);
      throw new PartialFailure(failure.reason, again);
    },
  };
}
