// Creates a schedule for an endpoint that exists.

import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import type { Schedule } from "../../domain/schedule/schedule.ts";
import { lockEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { insertSchedule } from "../../store/schedule/schedule.ts";
import { requireRoom } from "../account/require-room.ts";
import { createOnce } from "../idempotency/create-once.ts";
import { requireMembership } from "../member/require-membership.ts";

export function* createScheduleOnce(
  once: IdempotencyKey | null,
  schedule: Schedule,
): Tx<Schedule | Fault> {
  return yield* createOnce(once, schedule.createdAt, () => create(schedule));
}

function* create(schedule: Schedule): Tx<Schedule | Fault> {
  const { accountId, endpointId } = schedule;
  const former = yield* requireMembership(schedule);
  if (former) return former;
  // Locked, so that it is not deleted without its schedules.
  const endpoint = yield* lockEndpoint(endpointId);
  if (endpoint?.accountId !== accountId) {
    return new Fault("endpoint_not_found", { id: endpointId });
  }
  const refusal = yield* requireRoom("schedule", accountId);
  if (refusal) return refusal;
  yield* insertSchedule(schedule);
  return schedule;
}
