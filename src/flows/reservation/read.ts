// Reading the reservations of an account.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { MemberName } from "../../domain/member/member.ts";
import type { Reservation } from "../../domain/reservation/reservation.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { findProject } from "../../store/project/project.ts";
import { findReservation, reservationsOf } from "../../store/reservation/reservation.ts";

export interface ReservationView extends Reservation {
  active: boolean;
  project: MemberName | null;
}

interface Deps {
  store: Store;
  clock: Clock;
}

/** Those that overlap a time: from now on, and without an end, unless it says so. */
export function readReservations(
  { store, clock }: Deps,
  accountId: string,
  { from, until }: { from: number | null; until: number | null },
): Promise<ReservationView[]> {
  const now = clock.now();
  const span = { from: from ?? now, until: until ?? Number.MAX_SAFE_INTEGER };
  return store.read(function* () {
    const views: ReservationView[] = [];
    for (const each of yield* reservationsOf(accountId, span)) views.push(yield* viewOf(each, now));
    return views;
  });
}

export async function readReservation(
  { store, clock }: Deps,
  accountId: string,
  id: string,
): Promise<ReservationView> {
  const stored = await store.read(findReservation, id);
  if (stored?.accountId !== accountId) throw new Fault("reservation_not_found", { id });
  return store.read(viewOf, stored, clock.now());
}

function* viewOf(reservation: Reservation, now: number): Tx<ReservationView> {
  const { projectId, accountId, from, until } = reservation;
  const project = projectId === null ? undefined : yield* findProject(projectId, accountId);
  return {
    ...reservation,
    active: from <= now && now < until,
    project: project ? { id: project.id, name: project.name } : null,
  };
}
