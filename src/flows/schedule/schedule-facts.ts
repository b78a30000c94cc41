// What is shown of a schedule: its next instants and its last run.

import { parseCron } from "../../base/cron/cron.ts";
import type { Schedule, ScheduleRun } from "../../domain/schedule/schedule.ts";
import { findRun } from "../../store/schedule/run.ts";
import type { FlowDeps } from "../flow-deps.ts";
import { nextInstants } from "./cron-times.ts";

export interface ScheduleWithRuns {
  schedule: Schedule;
  nextRuns: number[];
  lastRun: ScheduleRun | null;
}

export const MAX_SHOWN = 5;

export async function scheduleFacts(
  { store }: Pick<FlowDeps, "store">,
  schedule: Schedule,
): Promise<ScheduleWithRuns> {
  const { id, runs } = schedule;
  const lastRun = runs === 0 ? null : ((await store.read(findRun, id, runs)) ?? null);
  return { schedule, nextRuns: await nextRunsOf(schedule), lastRun };
}

async function nextRunsOf({ spec, nextRunAt }: Schedule): Promise<number[]> {
  if (nextRunAt === null) return [];
  const times = await parseCron(spec.cron, spec.timeZone);
  return [nextRunAt, ...nextInstants(times, nextRunAt, MAX_SHOWN - 1)];
}
