// Checks that the machines offer what would be reserved, beside what is reserved and guaranteed already.

import { Fault } from "../../domain/fault.ts";
import type { Guarantee } from "../../domain/guarantee/guarantee.ts";
import { offeredGpus } from "../../domain/placement/place.ts";
import { type ReservationLimits, refuseShare } from "../../domain/reservation/limits.ts";
import { peakWithin } from "../../domain/reservation/peak.ts";
import { chargedMember, type Reservation } from "../../domain/reservation/reservation.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { allGuarantees } from "../../store/guarantee/guarantee.ts";
import { projectsOfMembers } from "../../store/project/project.ts";
import { overlapping } from "../../store/reservation/reservation.ts";
import { emptyPlaces } from "../place/places.ts";
import type { ReservationCharge } from "./require-quota.ts";

interface Offered extends ReservationCharge {
  /** Machines that reported since this instant count. */
  since: number;
  at: number;
  /** Null for a caller that may exceed a member's share. */
  limits: ReservationLimits | null;
}

export function* requireOffered(
  reservation: Reservation,
  { since, at, limits, charged, isCaller }: Offered,
): Tx<Fault | null> {
  const { id, gpuTypeId, gpuCount, accountId } = reservation;
  const total = offeredGpus(yield* emptyPlaces(since, at), gpuTypeId);
  const all = yield* overlapping(gpuTypeId, reservation);
  const others = all.filter((each) => each.id !== id);
  const peak = peakWithin(others, reservation);
  const reserved = peak?.count ?? 0;
  if (reserved + gpuCount > total) {
    const { from, until } = peak ?? reservation;
    const time = `from ${new Date(from).toISOString()} until ${new Date(until).toISOString()}`;
    return new Fault("reservation_full", { reserved, total, type: gpuTypeId, time, gpuCount });
  }
  if (limits && charged) {
    const own = others.filter(
      (each) => each.accountId === accountId && chargedMember(each) === charged.id,
    );
    const share = {
      peak: peakWithin(own, reservation),
      total,
      name: isCaller ? null : charged.name,
    };
    const refusal = refuseShare(reservation, share, limits);
    if (refusal) return refusal;
  }
  const guarantees = (yield* allGuarantees()).filter((each) => each.gpuTypeId === gpuTypeId);
  if (guarantees.length === 0) return null;
  return yield* requireUnguaranteed(reservation, { others, guarantees, total });
}

interface Existing {
  others: readonly Reservation[];
  guarantees: readonly Guarantee[];
  total: number;
}

/** What is reserved for another project or its members counts only beyond the project's guarantee. */
function* requireUnguaranteed(
  reservation: Reservation,
  { others, guarantees, total }: Existing,
): Tx<Fault | null> {
  const projectOf = yield* readProjects([reservation, ...others]);
  const ownId = projectOf(reservation);
  const guaranteed = new Map<string, number>();
  for (const { projectId, gpuCount } of guarantees) {
    if (projectId !== ownId) guaranteed.set(projectId, gpuCount);
  }
  const sum = [...guaranteed.values()].reduce((all, each) => all + each, 0);
  const reserved = others.map((each) => ({ ...each, projectId: projectOf(each) }));
  const beyond = peakWithin(reserved, reservation, guaranteed)?.count ?? 0;
  const gpuCount = beyond + reservation.gpuCount;
  if (gpuCount + sum <= total) return null;
  const { gpuTypeId: type } = reservation;
  return new Fault("guarantee_full", { gpuCount, type, guaranteed: sum, total });
}

/** The project that a reservation is for: its own, or its owner's. */
function* readProjects(
  reservations: readonly Reservation[],
): Tx<(reservation: Reservation) => string | null> {
  const ownerIds = reservations.flatMap(({ owner, projectId }) => {
    return owner && projectId === null ? [owner.id] : [];
  });
  const byMember = yield* projectsOfMembers([...new Set(ownerIds)]);
  return ({ owner, projectId }) => projectId ?? (owner && byMember.get(owner.id)) ?? null;
}
