// Releases reservations that are not used, after a warning.

import { reservationReleased, reservationUnused } from "../../domain/reservation/events.ts";
import { decideUnused, releaseTime, type UnusedStep } from "../../domain/reservation/unused.ts";
import { appendSystemAct } from "../../store/audit/audit.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { noteUnused } from "../../store/reservation/notices.ts";
import { lockActiveReservations, releaseReservation } from "../../store/reservation/reservation.ts";
import { raiseEvent } from "../notification/raise.ts";
import { type LentReservation, readLent } from "../place/lent.ts";

interface Watch {
  /** How long one may be unused. */
  minutes: number;
  /** Machines that reported since this instant count. */
  since: number;
  at: number;
}

/** Whether a step is due for an active reservation. */
export function* isUnusedStepDue({ minutes, since, at }: Watch): Tx<boolean> {
  const { lent } = yield* readLent({ since, at });
  return lent.some(({ reservation, use }) => decideUnused(reservation, use, minutes, at) !== null);
}

/** What takes a place waits for the locks, so that nothing starts on a reservation that is being released. */
export function* releaseUnused({ minutes, since, at }: Watch): Tx<void> {
  yield* lockActiveReservations(at);
  const { lent } = yield* readLent({ since, at });
  for (const each of lent) {
    const step = decideUnused(each.reservation, each.use, minutes, at);
    if (step !== null) yield* takeStep(step, each, { minutes, since, at });
  }
}

function* takeStep(
  step: UnusedStep,
  { reservation, use: { claim } }: LentReservation,
  { minutes, at }: Watch,
): Tx<void> {
  const { id, accountId, unusedSince } = reservation;
  const { holder } = claim;
  switch (step) {
    case "begin":
      yield* noteUnused({ id, accountId, unusedSince: at, warnedAt: null });
      return;
    case "use":
      yield* noteUnused({ id, accountId, unusedSince: null, warnedAt: null });
      return;
    case "warn": {
      const warned = { id, accountId, unusedSince: unusedSince!, warnedAt: at };
      const releasesAt = releaseTime(warned, minutes)!;
      yield* noteUnused(warned);
      const warning = { holder, unusedSince: unusedSince!, releasesAt, at };
      yield* raiseEvent(accountId, reservationUnused(reservation, warning));
      return;
    }
    case "release": {
      yield* releaseReservation(reservation, at);
      const event = reservationReleased(reservation, { holder, unusedSince: unusedSince!, at });
      yield* raiseEvent(accountId, event);
      yield* appendSystemAct({
        accountId,
        at,
        operation: "releaseReservation",
        resourceType: "reservation",
        resourceId: id,
        detail: event.summary,
      });
    }
  }
}
