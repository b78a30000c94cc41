// Fires a schedule that is due: decides which instants run, builds their jobs, and submits them in one commit.

import { type CronTimes, parseCron } from "../../base/cron/cron.ts";
import { Fault } from "../../domain/fault.ts";
import { missedSentence, planRuns, type RunPlan } from "../../domain/schedule/plan-runs.ts";
import type { RunOutcome, Schedule } from "../../domain/schedule/schedule.ts";
import { type DueRun, type Firing, fireSchedule } from "../../transactions/schedule/fire.ts";
import type { SubmitDeps } from "../job/submit.ts";
import { jobOfRun } from "./submit-run.ts";

/** Returns the outcomes of its runs; none if another replica fired it. */
export async function fire(deps: SubmitDeps, schedule: Schedule): Promise<RunOutcome[]> {
  const { store, clock } = deps;
  const { nextRunAt } = schedule;
  if (nextRunAt === null) return [];
  const firing = { schedule, ...(await dueRuns(deps, { ...schedule, nextRunAt })) };
  return (await store.write(fireSchedule, firing, clock.now())) ?? [];
}

async function dueRuns(
  deps: SubmitDeps,
  schedule: Schedule & { nextRunAt: number },
): Promise<Pick<Firing, "runs" | "nextRunAt">> {
  const { cron, timeZone } = schedule.spec;
  let times: CronTimes;
  try {
    times = await parseCron(cron, timeZone);
  } catch (error) {
    // Another version of Freehold, or of the time zone database, accepted it.
    const reason = `The expression or its time zone is no longer valid: ${(error as Error).message}.`;
    return { runs: [{ at: schedule.nextRunAt, outcome: "FAILED", reason }], nextRunAt: null };
  }
  const plan = planRuns(schedule, times, deps.clock.now());
  const runs = missedRun(plan);
  for (const at of plan.due) runs.push(await dueRun(deps, schedule, at));
  return { runs, nextRunAt: plan.nextRunAt };
}

/** One entry stands for all instants that were missed. */
function missedRun({ missed }: RunPlan): DueRun[] {
  if (!missed) return [];
  return [{ at: missed.last, outcome: "SKIPPED", reason: missedSentence(missed) }];
}

/** A run that cannot be submitted is recorded with the reason. */
async function dueRun(deps: SubmitDeps, schedule: Schedule, at: number): Promise<DueRun> {
  try {
    return { at, job: await jobOfRun(deps, schedule) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { at, outcome: "FAILED", reason: error.message };
  }
}
