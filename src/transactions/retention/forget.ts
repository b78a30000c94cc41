// Rows that are past their retention and that nothing else depends on.

import { forgetEntries } from "../../store/audit/audit.ts";
import { forgetMinutes } from "../../store/endpoint/history.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { forgetAnswers } from "../../store/idempotency/idempotency.ts";
import { forgetGpuTimes } from "../../store/idle-gpu/idle-gpu.ts";
import { forgetInvitations } from "../../store/invitation/invitation.ts";
import { deleteOrphanedLogs } from "../../store/log/job-log.ts";
import { forgetLoads } from "../../store/machine-load/machine-load.ts";
import { forgetResets } from "../../store/password/reset.ts";
import { dropUnbound } from "../../store/payload/payload.ts";
import { forgetReservations } from "../../store/reservation/reservation.ts";
import { forgetDeviceLogins } from "../../store/session/device-login.ts";
import { forgetSessions } from "../../store/session/session.ts";
import { forgetTries } from "../../store/sign-in/sign-in-try.ts";
import { forgetLogoutTokens } from "../../store/sign-in/used-logout-token.ts";
import { forgetStates } from "../../store/sign-in/used-sign-in.ts";

/** Invitations, sessions, reset links, tries, logout tokens, and sign-ins of a browser or a device that have expired. */
export function* forgetSignIns(now: number, deviceLoginsBefore: number): Tx<void> {
  yield* forgetInvitations(now);
  yield* forgetSessions(now);
  yield* forgetResets(now);
  yield* forgetTries(now);
  yield* forgetStates(now);
  yield* forgetLogoutTokens(now);
  yield* forgetDeviceLogins(deviceLoginsBefore);
}

/** Answers under an Idempotency-Key that have expired, and up to `limit` each of the minutes of endpoints, audit entries, days of GPUs, reservations and loads of machines. */
export function* forgetRecords(
  {
    answers,
    minutes,
    entries,
    gpuTimes,
    reservations,
    cancellations,
    loads,
  }: Record<
    "answers" | "minutes" | "entries" | "gpuTimes" | "reservations" | "cancellations" | "loads",
    number
  >,
  limit: number,
): Tx<void> {
  yield* forgetAnswers(answers);
  yield* forgetMinutes(minutes, limit);
  yield* forgetEntries(entries, limit);
  yield* forgetGpuTimes(gpuTimes, limit);
  yield* forgetReservations({ ended: reservations, cancelled: cancellations }, limit);
  yield* forgetLoads(loads, limit);
}

/** Texts whose upload was given up, and logs whose job is gone. */
export function* forgetContent(uploadedBefore: number): Tx<void> {
  yield* dropUnbound(uploadedBefore);
  yield* deleteOrphanedLogs();
}
