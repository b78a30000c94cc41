// Changes and deletes schedules.

import type { Schedule } from "../../domain/schedule/schedule.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { deleteRuns } from "../../store/schedule/run.ts";
import {
  deleteSchedule,
  lockSchedule,
  schedulesOfEndpoint,
  updateSchedule,
} from "../../store/schedule/schedule.ts";

/** False if it was changed, or deleted, since it was read. */
export function* replaceSchedule(changed: Schedule): Tx<boolean> {
  const locked = yield* lockSchedule(changed.id);
  if (locked?.revision !== changed.revision) return false;
  yield* updateSchedule(changed);
  return true;
}

/** False if the account has no such schedule. Its jobs go on. */
export function* deleteOwnSchedule(accountId: string, id: string): Tx<boolean> {
  const schedule = yield* lockSchedule(id);
  if (schedule?.accountId !== accountId) return false;
  yield* remove(schedule);
  return true;
}

/** The endpoint must be locked. */
export function* deleteSchedulesOf(endpointId: string): Tx<void> {
  for (const schedule of yield* schedulesOfEndpoint(endpointId)) yield* remove(schedule);
}

function* remove(schedule: Schedule): Tx<void> {
  yield* deleteRuns(schedule.id);
  yield* deleteSchedule(schedule);
}
