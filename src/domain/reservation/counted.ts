// Which reservations count for which limit of a quota. Pure.

import { peakWithin } from "./peak.ts";
import { chargedMember, type Reservation } from "./reservation.ts";

/** What is reserved for a project counts for it, and for the member that reserved or enlarged it. */
export type Counted =
  | { kind: "account" }
  | { kind: "project"; id: string; members: readonly { id: string }[] }
  /** Null for what belongs to the account alone. */
  | { kind: "member"; id: string | null };

/** The most GPUs that count at one time within a time. */
export function reservedWithin(
  reservations: readonly Reservation[],
  holder: Counted,
  span: Pick<Reservation, "from" | "until">,
): number {
  const its = reservations.filter((each) => countsFor(each, holder));
  return peakWithin(its, span)?.count ?? 0;
}

function countsFor(reservation: Reservation, holder: Counted): boolean {
  const { projectId } = reservation;
  if (holder.kind === "account") return true;
  if (holder.kind === "member") return chargedMember(reservation) === holder.id;
  if (projectId !== null) return projectId === holder.id;
  return holder.members.some(({ id }) => id === chargedMember(reservation));
}
