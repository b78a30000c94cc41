// Reserving GPUs, and changing and cancelling a reservation.

import type { Creator } from "../../domain/account.ts";
import { type Catalog, idsOf } from "../../domain/catalog/catalog.ts";
import { unknownNames } from "../../domain/catalog/unknown-names.ts";
import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import { type Role, roleCovers } from "../../domain/member/roles.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import { limitError, type ReservationLimits } from "../../domain/reservation/limits.ts";
import type { Reservation, ReservationTerms } from "../../domain/reservation/reservation.ts";
import { timeError } from "../../domain/reservation/times.ts";
import type { Tx } from "../../store/engine/statement.ts";
import {
  addReservation,
  cancelReservation,
  type ReservationChange,
  saveReservation,
} from "../../transactions/reservation/write.ts";
import { createOnceIn } from "../create-once.ts";
import type { FlowDeps } from "../flow-deps.ts";
import { throwRefusal } from "../throw-refusal.ts";

export interface ReservationDeps extends FlowDeps {
  catalog: Catalog;
  heartbeatTiming: HeartbeatTiming;
  reservationLimits: ReservationLimits;
}

export interface NewReservation
  extends Pick<Creator, "accountId" | "owner">,
    Omit<ReservationTerms, "from"> {
  /** Null or a time in the past for now. */
  from: number | null;
  once: IdempotencyKey | null;
  /** The role of the member that reserves; null for a key of the account. */
  role: Role | null;
}

export async function createReservation(
  deps: ReservationDeps,
  { once, role, ...fields }: NewReservation,
): Promise<Reservation> {
  const { store, clock, ids, catalog, heartbeatTiming, reservationLimits: limits } = deps;
  const now = clock.now();
  const from = Math.max(fields.from ?? now, now);
  const [unknown] = unknownNames(
    "gpuTypeId",
    [fields.gpuTypeId],
    idsOf(catalog.gpuTypes),
    "a GPU type",
  );
  if (unknown !== undefined) throw new Fault("invalid_body", { detail: unknown });
  const reservation = {
    ...fields,
    from,
    id: ids.short(14),
    createdAt: now,
    changedAt: now,
    sequence: 0,
    cancelledAt: null,
    unusedSince: null,
    warnedAt: null,
    releasedAt: null,
    enlargedBy: null,
  };
  // A repeated request gets the first answer, though its times may be refused by then.
  return createOnceIn({ store, once, now }, function* (): Tx<Reservation | Fault> {
    const detail = timeError(reservation, now) ?? limitError(reservation, now, limits);
    if (detail !== null) return new Fault("invalid_body", { detail });
    const since = now - heartbeatTiming.goneMs;
    return yield* addReservation({ catalog, since, limits }, reservation, {
      forAnyProject: roleCovers(role, "account", "write"),
    });
  });
}

export interface ReservationChanges extends Pick<ReservationChange, "accountId" | "id" | "by"> {
  changes: Partial<Pick<Reservation, "gpuCount" | "from" | "until" | "note" | "labels">>;
  /** The role of the member that changes it; null for a key of the account. */
  role: Role | null;
}

export async function changeReservationOf(
  { store, clock, catalog, heartbeatTiming, reservationLimits: limits }: ReservationDeps,
  { changes, role, ...of }: ReservationChanges,
): Promise<Reservation> {
  const now = clock.now();
  const change = { ...of, changes, now, forAnyProject: roleCovers(role, "account", "write") };
  const since = now - heartbeatTiming.goneMs;
  return throwRefusal(store.write(saveReservation, { catalog, since, limits }, change));
}

export async function deleteReservation(
  { store, clock }: Pick<ReservationDeps, "store" | "clock">,
  accountId: string,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(cancelReservation, accountId, id, clock.now()));
}
