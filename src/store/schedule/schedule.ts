// The table `schedule`.

import type { Schedule, ScheduleSpec } from "../../domain/schedule/schedule.ts";
import { topic } from "../engine/notifier.ts";
import { labelsFrom, labelText } from "../engine/row/columns.ts";
import { type OwnerColumns, ownerFrom, withOwner } from "../engine/row/owner.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

const OWNED = withOwner("schedule");

interface Row extends OwnerColumns {
  id: string;
  account_id: string;
  endpoint_id: string;
  name: string;
  labels: string | null;
  spec: string;
  input: string;
  paused_at: number | null;
  next_run_at: number | null;
  last_run_at: number | null;
  runs: number;
  revision: number;
  created_at: number;
}

const fromRow = (found: Row): Schedule => ({
  id: found.id,
  accountId: found.account_id,
  endpointId: found.endpoint_id,
  name: found.name,
  labels: labelsFrom(found.labels),
  spec: JSON.parse(found.spec) as ScheduleSpec,
  input: found.input,
  pausedAt: found.paused_at,
  nextRunAt: found.next_run_at,
  lastRunAt: found.last_run_at,
  runs: found.runs,
  revision: found.revision,
  createdAt: found.created_at,
  ...ownerFrom(found),
});

export function* insertSchedule(schedule: Schedule): Tx<void> {
  yield* change(
    `insert into schedule (id, account_id, endpoint_id, name, labels, spec, input, paused_at, next_run_at,
       last_run_at, runs, revision, created_at, owner_id)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    schedule.id,
    schedule.accountId,
    schedule.endpointId,
    schedule.name,
    labelText(schedule.labels),
    JSON.stringify(schedule.spec),
    schedule.input,
    schedule.pausedAt,
    schedule.nextRunAt,
    schedule.lastRunAt,
    schedule.runs,
    schedule.revision,
    schedule.createdAt,
    schedule.owner?.id ?? null,
  );
  yield* changed(schedule);
}

/** Writes a locked schedule with a new revision. */
export function* updateSchedule(schedule: Schedule): Tx<void> {
  yield* change(
    `update schedule set name = ?, labels = ?, spec = ?, input = ?, paused_at = ?, next_run_at = ?,
       last_run_at = ?, runs = ?, revision = revision + 1 where id = ?`,
    schedule.name,
    labelText(schedule.labels),
    JSON.stringify(schedule.spec),
    schedule.input,
    schedule.pausedAt,
    schedule.nextRunAt,
    schedule.lastRunAt,
    schedule.runs,
    schedule.id,
  );
  yield* changed(schedule);
}

/** Its runs must be deleted before it. */
export function* deleteSchedule(schedule: Schedule): Tx<void> {
  yield* change("delete from schedule where id = ?", schedule.id);
  yield* changed(schedule);
}

function* changed({ id, accountId }: Schedule): Tx<void> {
  yield* notify(topic.schedules);
  yield* notify(topic.changed(accountId, "schedule", id));
}

export function* findSchedule(id: string): Tx<Schedule | undefined> {
  const found = yield* row<Row>(`select ${OWNED} from schedule where id = ?`, id);
  return found && fromRow(found);
}

export function* lockSchedule(id: string): Tx<Schedule | undefined> {
  const found = yield* row<Row>(`select ${OWNED} from schedule where id = ? /*+ for update */`, id);
  return found && fromRow(found);
}

/** The newest first. */
export function* listSchedules(accountId: string): Tx<Schedule[]> {
  const found = yield* rows<Row>(
    `select ${OWNED} from schedule where account_id = ? order by created_at desc, id`,
    accountId,
  );
  return found.map(fromRow);
}

/** Locked. */
export function* schedulesOfEndpoint(endpointId: string): Tx<Schedule[]> {
  const found = yield* rows<Row>(
    `select ${OWNED} from schedule where endpoint_id = ? order by id /*+ for update */`,
    endpointId,
  );
  return found.map(fromRow);
}

/** The longest overdue first, from the one that follows `after` on. */
export function* dueSchedules(
  now: number,
  limit: number,
  after: Pick<Schedule, "id" | "nextRunAt"> | null,
): Tx<Schedule[]> {
  const found = yield* rows<Row>(
    `select ${OWNED} from schedule where next_run_at <= ? and (next_run_at, id) > (?, ?)
     order by next_run_at, id limit ?`,
    now,
    after?.nextRunAt ?? 0,
    after?.id ?? "",
    limit,
  );
  return found.map(fromRow);
}

/** When the next schedule is due after an instant; null for none. */
export function* nextScheduleAfter(instant: number): Tx<number | null> {
  const found = yield* row<{ at: number }>(
    "select next_run_at as at from schedule where next_run_at > ? order by next_run_at limit 1",
    instant,
  );
  return found?.at ?? null;
}
