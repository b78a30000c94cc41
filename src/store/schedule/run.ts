// The table `schedule_run`: the latest runs of each schedule.

import {
  MAX_KEPT_RUNS,
  type RunOutcome,
  type ScheduleRun,
} from "../../domain/schedule/schedule.ts";
import { columnList } from "../engine/row/column-list.ts";
import { change, row, rows, type Tx } from "../engine/statement.ts";

interface Row {
  schedule_id: string;
  n: number;
  trigger_kind: ScheduleRun["trigger"];
  scheduled_at: number;
  started_at: number;
  outcome: RunOutcome;
  job_id: string | null;
  reason: string | null;
}

const COLUMNS = columnList<Row>()(
  "schedule_id",
  "n",
  "trigger_kind",
  "scheduled_at",
  "started_at",
  "outcome",
  "job_id",
  "reason",
);

const fromRow = (found: Row): ScheduleRun => ({
  scheduleId: found.schedule_id,
  n: found.n,
  trigger: found.trigger_kind,
  scheduledAt: found.scheduled_at,
  startedAt: found.started_at,
  outcome: found.outcome,
  jobId: found.job_id,
  reason: found.reason,
});

/** Deletes the oldest run beyond those that are kept. The schedule must be locked: its runs are numbered. */
export function* insertRun(run: ScheduleRun): Tx<void> {
  yield* change(
    `insert into schedule_run (schedule_id, n, trigger_kind, scheduled_at, started_at, outcome, job_id, reason)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    run.scheduleId,
    run.n,
    run.trigger,
    run.scheduledAt,
    run.startedAt,
    run.outcome,
    run.jobId,
    run.reason,
  );
  const end = run.n - MAX_KEPT_RUNS;
  yield* change("delete from schedule_run where schedule_id = ? and n <= ?", run.scheduleId, end);
}

/** The newest first. */
export function* runsOf(scheduleId: string): Tx<ScheduleRun[]> {
  const found = yield* rows<Row>(
    `select ${COLUMNS} from schedule_run where schedule_id = ? order by n desc`,
    scheduleId,
  );
  return found.map(fromRow);
}

export function* findRun(scheduleId: string, n: number): Tx<ScheduleRun | undefined> {
  const found = yield* row<Row>(
    `select ${COLUMNS} from schedule_run where schedule_id = ? and n = ?`,
    scheduleId,
    n,
  );
  return found && fromRow(found);
}

/** The outcome of its last run that was not skipped. */
export function* lastOutcome(scheduleId: string): Tx<RunOutcome | undefined> {
  const found = yield* row<Pick<Row, "outcome">>(
    `select outcome from schedule_run where schedule_id = ? and outcome <> 'SKIPPED'
     order by n desc limit 1`,
    scheduleId,
  );
  return found?.outcome;
}

/** The jobs of a schedule's runs, the first submitted first. */
export function* jobIdsOfRuns(scheduleId: string): Tx<string[]> {
  const found = yield* rows<{ job_id: string }>(
    "select job_id from schedule_run where schedule_id = ? and job_id is not null order by n",
    scheduleId,
  );
  return found.map(({ job_id }) => job_id);
}

export function* deleteRuns(scheduleId: string): Tx<void> {
  yield* change("delete from schedule_run where schedule_id = ?", scheduleId);
}
