// Releases reservations that are not used, after a warning.

import { awaitsReserved } from "../../domain/queued-pod/awaits-reserved.ts";
import { reservationReleased, reservationUnused } from "../../domain/reservation/events.ts";
import {
  decideUnused,
  isIdle,
  releaseTime,
  type UnusedStep,
} from "../../domain/reservation/unused.ts";
import { appendSystemAct } from "../../store/audit/audit.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { waitingPods } from "../../store/queued-pod/queued-pod.ts";
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
  const steps = yield* dueSteps({ minutes, since, at });
  return steps.length > 0;
}

/** What takes a place waits for the locks, so that nothing starts on a reservation that is being released. */
export function* releaseUnused({ minutes, since, at }: Watch): Tx<void> {
  yield* lockActiveReservations(at);
  const steps = yield* dueSteps({ minutes, since, at });
  for (const { step, lent } of steps) yield* takeStep(step, lent, { minutes, since, at });
}

interface DueStep {
  step: UnusedStep;
  lent: LentReservation;
}

function* dueSteps({ minutes, since, at }: Watch): Tx<DueStep[]> {
  const { lent } = yield* readLent({ since, at });
  const line = lent.some(({ use }) => isIdle(use)) ? yield* waitingPods() : [];
  const requests = line.map(({ accountId, owner, spec, waiting }) => {
    return { accountId, memberId: owner?.id ?? null, spec, waiting };
  });
  return lent.flatMap((each) => {
    const isAwaited = requests.some((request) => awaitsReserved(request, each.use.claim));
    const step = decideUnused(each.reservation, { ...each.use, isAwaited }, minutes, at);
    return step === null ? [] : [{ step, lent: each }];
  });
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
