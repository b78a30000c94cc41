// Fires schedules at their instants.

import type { SubmitDeps } from "../../flows/job/submit.ts";
import type { ProcessMetrics } from "../../flows/metrics/process-metrics.ts";
import { fire } from "../../flows/schedule/fire.ts";
import { topic } from "../../store/engine/notifier.ts";
import { dueSchedules, nextScheduleAt } from "../../store/schedule/schedule.ts";
import type { Loop } from "../engine/loop.ts";

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
      const due = await store.read(dueSchedules, clock.now(), MAX_CONCURRENT);
      const fired = await Promise.allSettled(due.map((schedule) => fire(deps, schedule)));
      const outcomes = fired.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
      for (const outcome of outcomes) metrics.recordScheduleRun(outcome);
      const failed = fired.find((each) => each.status === "rejected");
      if (failed) throw failed.reason;
      return store.read(nextScheduleAt);
    },
  };
}
