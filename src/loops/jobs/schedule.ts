// Fires schedules at their instants.

import type { Schedule } from "../../domain/schedule/schedule.ts";
import type { SubmitDeps } from "../../flows/job/submit.ts";
import type { ProcessMetrics } from "../../flows/metrics/process-metrics.ts";
import { fire } from "../../flows/schedule/fire.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
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
      const failures: unknown[] = [];
      for await (const due of pagesOfDue(store, now)) {
        for (const run of await Promise.allSettled(due.map((schedule) => fire(deps, schedule)))) {
          if (run.status === "rejected") failures.push(run.reason);
          else for (const outcome of run.value) metrics.recordScheduleRun(outcome);
        }
      }
      if (failures.length === 0) return store.read(nextScheduleAfter, 0);
      // Those that fail do not make the others late. They stay due, and the next pass tries them again.
      throw new PartialFailure(failures[0], await store.read(nextScheduleAfter, now));
    },
  };
}

async function* pagesOfDue(store: Store, now: number): AsyncGenerator<Schedule[]> {
  let page: Schedule[] = [];
  do {
    page = await store.read(dueSchedules, now, MAX_CONCURRENT, page.at(-1) ?? null);
    yield page;
  } while (page.length === MAX_CONCURRENT);
}
