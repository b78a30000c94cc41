// Adds, changes and cancels reservations.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import { Fault } from "../../domain/fault.ts";
import type { MemberName } from "../../domain/member/member.ts";
import { limitError, type ReservationLimits } from "../../domain/reservation/limits.ts";
import type { Reservation } from "../../domain/reservation/reservation.ts";
import { changedStart, changeError, takesMore, takesTime } from "../../domain/reservation/times.ts";
import { refuseAnother } from "../../domain/storage/resource-limits.ts";
import { holdAccount } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockPlacement } from "../../store/price-book/lock.ts";
import { findProject } from "../../store/project/project.ts";
import {
  cancelReservationOf,
  changeReservation,
  countOpenReservations,
  insertReservation,
  lockReservation,
} from "../../store/reservation/reservation.ts";
import { requireMembership } from "../member/require-membership.ts";
import { requireOffered } from "./require-offered.ts";
import { requireReservationQuota } from "./require-quota.ts";

interface ReservationRules {
  catalog: Catalog;
  /** Machines that reported since this instant count. */
  since: number;
  limits: ReservationLimits;
}

export function* addReservation(
  { catalog, since, limits }: ReservationRules,
  reservation: Reservation,
  { forAnyProject }: { forAnyProject: boolean },
): Tx<Reservation | Fault> {
  yield* lockPlacement(catalog);
  const charge = { charged: reservation.owner, isCaller: true };
  const refusal =
    (yield* requireMembership(reservation)) ??
    (yield* requireProject(reservation, reservation.owner, forAnyProject)) ??
    (yield* requireRoomFor(reservation)) ??
    (yield* requireReservationQuota(reservation, charge)) ??
    (yield* requireOffered(reservation, {
      since,
      at: reservation.createdAt,
      limits: forAnyProject ? null : limits,
      ...charge,
    }));
  if (refusal) return refusal;
  yield* insertReservation(reservation);
  return reservation;
}

export interface ReservationChange {
  accountId: string;
  id: string;
  changes: Partial<Pick<Reservation, "gpuCount" | "from" | "until" | "note" | "labels">>;
  /** The member that changes it; undefined for the account itself. */
  by: MemberName | undefined;
  forAnyProject: boolean;
  now: number;
}

/** What it takes beyond what it has is checked as for a new one. */
export function* saveReservation(
  { catalog, since, limits }: ReservationRules,
  { accountId, id, changes, by, forAnyProject, now }: ReservationChange,
): Tx<Reservation | Fault> {
  yield* lockPlacement(catalog);
  yield* holdAccount(accountId);
  const before = yield* lockReservation(id);
  if (before?.accountId !== accountId) return new Fault("reservation_not_found", { id });
  const after = chargedTo(forAnyProject ? undefined : by, before, changedBy(before, changes, now));
  const detail =
    (before.releasedAt === null ? changeError(before, after, now) : RELEASED) ??
    (takesTime(before, after) ? limitError(after, now, limits) : null);
  if (detail !== null) return new Fault("invalid_body", { detail });
  const isMore = takesMore(before, after);
  const charged = after.owner ?? (after.enlargedBy === null ? undefined : by);
  const charge = { charged, isCaller: by?.id === charged?.id };
  const refusal =
    (yield* requireMembership({ ...(by && { owner: by }) })) ??
    (isMore
      ? ((yield* requireProject(after, by, forAnyProject)) ??
        (yield* requireReservationQuota(after, charge)) ??
        (yield* requireOffered(after, {
          since,
          at: now,
          limits: forAnyProject ? null : limits,
          ...charge,
        })))
      : null);
  if (refusal) return refusal;
  yield* changeReservation(after, after.from !== before.from || after.gpuCount > before.gpuCount);
  return after;
}

const RELEASED = "The reservation was released because it was not used; create another one.";

/** What a member adds to a reservation of the account counts for that member, as if it were its own. */
function chargedTo(
  by: MemberName | undefined,
  before: Reservation,
  after: Reservation,
): Reservation {
  if (after.owner || !takesMore(before, after)) return after;
  return { ...after, enlargedBy: by?.id ?? null };
}

/** Labels are not in calendars. */
function changedBy(
  before: Reservation,
  changes: ReservationChange["changes"],
  now: number,
): Reservation {
  const after = { ...before, ...changes, from: changedStart(before.from, changes.from, now) };
  const fields = ["gpuCount", "from", "until", "note"] as const;
  const isShown = fields.some((field) => after[field] !== before[field]);
  return isShown ? { ...after, changedAt: now, sequence: before.sequence + 1 } : after;
}

/** Holds the account, so that two transactions cannot both add the last one. */
function* requireRoomFor({ accountId, owner, createdAt }: Reservation): Tx<Fault | null> {
  yield* holdAccount(accountId);
  const counts = yield* countOpenReservations(accountId, owner?.id ?? null, createdAt);
  const refusal = owner ? refuseAnother("memberReservation", counts.owners) : null;
  return refusal ?? refuseAnother("reservation", counts.all);
}

/** A member reserves for its own project, unless it may for any. */
function* requireProject(
  { accountId, projectId }: Reservation,
  by: MemberName | undefined,
  forAnyProject: boolean,
): Tx<Fault | null> {
  if (projectId === null) return null;
  const project = yield* findProject(projectId, accountId);
  if (!project) return new Fault("project_not_found", { id: projectId });
  if (forAnyProject || project.members.some(({ id }) => id === by?.id)) return null;
  const detail = `You are not a member of the project "${project.name}". Reserve for yourself, without "projectId", or ask an admin of the account.`;
  return new Fault("forbidden", { detail });
}

export function* cancelReservation(accountId: string, id: string, at: number): Tx<Fault | null> {
  return (yield* cancelReservationOf(id, accountId, at))
    ? null
    : new Fault("reservation_not_found", { id });
}
