// Adds and cancels reservations.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import { Fault } from "../../domain/fault.ts";
import { offeredGpus } from "../../domain/placement/place.ts";
import { peakWithin, type Reservation } from "../../domain/reservation/reservation.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { allGuarantees } from "../../store/guarantee/guarantee.ts";
import { lockPlacement } from "../../store/price-book/lock.ts";
import { findProject, findProjectOf } from "../../store/project/project.ts";
import {
  deleteReservation,
  deleteReservationsBefore,
  insertReservation,
  overlapping,
} from "../../store/reservation/reservation.ts";
import { requireMembership } from "../member/require-membership.ts";
import { emptyPlaces } from "../place/places.ts";
import { requireReservationQuota } from "./require-quota.ts";

/** Those that ended are kept for so long. */
const KEPT_MS = 90 * 86_400_000;

export function* addReservation(
  { catalog, since }: { catalog: Catalog; since: number },
  reservation: Reservation,
  { forAnyProject }: { forAnyProject: boolean },
): Tx<Reservation | Fault> {
  yield* lockPlacement(catalog);
  const { createdAt, from } = reservation;
  const ahead = { ...reservation, from: Math.max(from, createdAt) };
  const refusal =
    (yield* requireMembership(reservation)) ??
    (yield* requireProject(reservation, forAnyProject)) ??
    (yield* requireReservationQuota(ahead)) ??
    (yield* requireOffered(ahead, since));
  if (refusal) return refusal;
  yield* deleteReservationsBefore(createdAt - KEPT_MS);
  yield* insertReservation(reservation);
  return reservation;
}

/** A member reserves for its own project, unless it may for any. */
function* requireProject(
  { accountId, projectId, owner }: Reservation,
  forAnyProject: boolean,
): Tx<Fault | null> {
  if (projectId === null) return null;
  const project = yield* findProject(projectId, accountId);
  if (!project) return new Fault("project_not_found", { id: projectId });
  if (forAnyProject || project.members.some(({ id }) => id === owner?.id)) return null;
  const detail = `You are not a member of the project "${project.name}". Reserve for yourself, without "projectId", or ask an admin of the account.`;
  return new Fault("forbidden", { detail });
}

/** All reservations together are at most what the machines offer. */
function* requireOffered(reservation: Reservation, since: number): Tx<Fault | null> {
  const { gpuTypeId, gpuCount, createdAt } = reservation;
  const total = offeredGpus(yield* emptyPlaces(since, createdAt), gpuTypeId);
  const peak = peakWithin(yield* overlapping(gpuTypeId, reservation), reservation);
  const reserved = peak?.count ?? 0;
  const guaranteed = yield* guaranteedToOthers(reservation);
  if (reserved + guaranteed + gpuCount <= total) return null;
  if (reserved + gpuCount <= total) {
    return new Fault("guarantee_full", {
      gpuCount: gpuCount + reserved,
      type: gpuTypeId,
      guaranteed,
      total,
    });
  }
  const [from, until] = [peak?.from ?? reservation.from, peak?.until ?? reservation.until];
  const time = `from ${new Date(from).toISOString()} until ${new Date(until).toISOString()}`;
  return new Fault("reservation_full", { reserved, total, type: gpuTypeId, time, gpuCount });
}

function* guaranteedToOthers({ gpuTypeId, projectId, owner }: Reservation): Tx<number> {
  const its = (yield* allGuarantees()).filter((each) => each.gpuTypeId === gpuTypeId);
  if (its.length === 0) return 0;
  const own = projectId ?? (owner && (yield* findProjectOf(owner.id))?.id);
  return its.reduce((sum, each) => sum + (each.projectId === own ? 0 : each.gpuCount), 0);
}

export function* cancelReservation(accountId: string, id: string): Tx<Fault | null> {
  return (yield* deleteReservation(id, accountId))
    ? null
    : new Fault("reservation_not_found", { id });
}
