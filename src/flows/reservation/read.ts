// Reading the reservations of an account.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { MemberName } from "../../domain/member/member.ts";
import type { Reservation } from "../../domain/reservation/reservation.ts";
import type { ListFilter } from "../../store/engine/row/selection.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { findProject } from "../../store/project/project.ts";
import {
  findReservation,
  listReservations,
  type ReservationFilter,
} from "../../store/reservation/reservation.ts";
import { withProjects } from "../../transactions/reservation/projects.ts";

export interface ReservationView extends Reservation {
  active: boolean;
  project: MemberName | null;
}

interface Deps {
  store: Store;
  clock: Clock;
}

export type ReservationPosition = Pick<Reservation, "from" | "id">;

export interface ReservationPage extends ListFilter {
  /** Null for now. */
  from: number | null;
  /** Null for no end. */
  until: number | null;
  gpuTypeId: string | null;
  /** The position of the last reservation of the page before this one. It may be gone. */
  after: ReservationPosition | null;
  limit: number;
}

/** A page of those that overlap a time. */
export async function readReservations(
  { store, clock }: Deps,
  accountId: string,
  { from, until, ...filter }: ReservationPage,
): Promise<ReservationView[]> {
  const now = clock.now();
  const span = { from: from ?? now, until: until ?? Number.MAX_SAFE_INTEGER };
  return store.read(listViews, { ...filter, ...span, accountId }, now);
}

function* listViews(filter: ReservationFilter, now: number): Tx<ReservationView[]> {
  const listed = yield* listReservations(filter);
  const reservations = yield* withProjects(filter.accountId, listed);
  return reservations.map(({ project, ...each }) => viewOf(each, project, now));
}

async function findOwn(store: Store, accountId: string, id: string): Promise<Reservation> {
  const stored = await store.read(findReservation, id);
  if (stored?.accountId !== accountId) throw new Fault("reservation_not_found", { id });
  return stored;
}

export async function readReservation(
  { store, clock }: Deps,
  accountId: string,
  id: string,
): Promise<ReservationView> {
  const stored = await findOwn(store, accountId, id);
  const { projectId } = stored;
  const project = projectId === null ? null : await store.read(findProject, projectId, accountId);
  return viewOf(stored, project ?? null, clock.now());
}

function viewOf(
  reservation: Reservation,
  project: MemberName | null,
  now: number,
): ReservationView {
  const { from, until } = reservation;
  return {
    ...reservation,
    active: from <= now && now < until,
    project: project && { id: project.id, name: project.name },
  };
}
