// The event for a schedule whose runs begin to fail, and for the first run that submits a job again. Pure.

import type { Schedule, ScheduleRun } from "../schedule/schedule.ts";
import { type AccountEvent, accountEvent, named } from "./event.ts";

export function scheduleFailed(
  { id, name, endpointId }: Pick<Schedule, "id" | "name" | "endpointId">,
  { outcome, reason, scheduledAt, startedAt, jobId }: ScheduleRun,
): AccountEvent {
  const resolved = outcome !== "FAILED";
  return accountEvent({
    type: "schedule_failed",
    at: startedAt,
    resolved,
    summary: resolved
      ? `Schedule ${named(name, id)} submits jobs again.`
      : `Schedule ${named(name, id)} could not submit a job: ${reason}`,
    resource: { type: "schedule", id, name },
    details: { endpointId, scheduledAt: new Date(scheduledAt).toISOString(), reason, jobId },
  });
}
