// The runs of a schedule. A run and its job are one commit with the schedule's next instant, so that each instant
// runs once, however many replicas try and whenever the service is killed.

import type { Fault } from "../../domain/fault.ts";
import type { Job, NewJob } from "../../domain/job/job.ts";
import { isEndedJob } from "../../domain/job/job.ts";
import { REPLACED } from "../../domain/job/sentences.ts";
import { scheduleFailed } from "../../domain/notification/schedule-failed.ts";
import type { RunOutcome, Schedule, ScheduleRun } from "../../domain/schedule/schedule.ts";
import { type Tx, together } from "../../store/engine/statement.ts";
import { lockJob } from "../../store/job/find.ts";
import { insertRun, jobIdsOfRuns, lastOutcome } from "../../store/schedule/run.ts";
import { lockSchedule, updateSchedule } from "../../store/schedule/schedule.ts";
import { endLockedJob } from "../job/end.ts";
import { submitJob, submitWithinStorage } from "../job/submit.ts";
import { raiseEvent } from "../notification/raise.ts";
import { bytesOfJob } from "../storage/job-bytes.ts";
import { requireStorage } from "../storage/require-storage.ts";

/** An instant that has come: its job, or why there is none. */
export type DueRun = { at: number } & (
  | { job: NewJob }
  | { outcome: Exclude<RunOutcome, "SUBMITTED">; reason: string }
);

export interface Firing {
  /** The schedule as it was read. */
  schedule: Schedule;
  /** The earliest first. */
  runs: DueRun[];
  nextRunAt: number | null;
}

/** Null if the schedule was changed, fired or deleted since it was read. */
export function* fireSchedule(firing: Firing, now: number): Tx<RunOutcome[] | null> {
  const schedule = yield* lockSchedule(firing.schedule.id);
  if (schedule?.revision !== firing.schedule.revision) return null;
  const outcomes: RunOutcome[] = [];
  for (const run of firing.runs) {
    const done = yield* doRun(schedule, run, now);
    const n = schedule.runs + outcomes.length + 1;
    yield* recordRun(schedule, {
      scheduleId: schedule.id,
      n,
      trigger: "SCHEDULE",
      scheduledAt: run.at,
      startedAt: now,
      ...done,
    });
    outcomes.push(done.outcome);
  }
  yield* updateSchedule({
    ...schedule,
    runs: schedule.runs + outcomes.length,
    nextRunAt: firing.nextRunAt,
    lastRunAt: firing.runs.at(-1)?.at ?? schedule.lastRunAt,
  });
  return outcomes;
}

type Done = Pick<ScheduleRun, "outcome" | "jobId" | "reason">;

function* doRun({ id, spec }: Schedule, run: DueRun, now: number): Tx<Done> {
  if (!("job" in run)) return { outcome: run.outcome, jobId: null, reason: run.reason };
  const { concurrencyPolicy } = spec;
  let live: Job[] = [];
  if (concurrencyPolicy !== "ALLOW") {
    const jobs = yield* together((yield* jobIdsOfRuns(id)).map(lockJob));
    live = jobs.filter((job) => job !== undefined).filter((job) => !isEndedJob(job));
    if (concurrencyPolicy === "FORBID" && live[0]) {
      const reason = `Job ${live[0].id} of an earlier run had not ended.`;
      return { outcome: "SKIPPED", jobId: null, reason };
    }
  }
  const { storageLimit } = run.job;
  const refusal = storageLimit && (yield* requireStorage(storageLimit, bytesOfJob(run.job)));
  if (refusal) return { outcome: "FAILED", jobId: null, reason: refusal.message };
  // Not before there is room for the job that replaces them.
  for (const job of live) yield* endLockedJob(job, { event: "cancel", error: REPLACED }, now);
  yield* submitJob(run.job);
  return { outcome: "SUBMITTED", jobId: run.job.id, reason: null };
}

/** Runs a schedule on request, whatever its policies say. Null if it was deleted. */
export function* runScheduleNow(id: string, job: NewJob): Tx<ScheduleRun | Fault | null> {
  const schedule = yield* lockSchedule(id);
  if (!schedule) return null;
  const n = schedule.runs + 1;
  const refusal = yield* submitWithinStorage(job);
  if (refusal) return refusal;
  const run: ScheduleRun = {
    scheduleId: id,
    n,
    trigger: "MANUAL",
    scheduledAt: job.now,
    startedAt: job.now,
    outcome: "SUBMITTED",
    jobId: job.id,
    reason: null,
  };
  yield* recordRun(schedule, run);
  yield* updateSchedule({ ...schedule, runs: n });
  return run;
}

/** Announces the first run of several that fail, and the next that does not. */
function* recordRun(schedule: Schedule, run: ScheduleRun): Tx<void> {
  const failedBefore = (yield* lastOutcome(schedule.id)) === "FAILED";
  yield* insertRun(run);
  if (run.outcome === "SKIPPED" || (run.outcome === "FAILED") === failedBefore) return;
  yield* raiseEvent(schedule.accountId, scheduleFailed(schedule, run));
}
