// Reserved and guaranteed GPUs that spot Pods borrow: of which reservations, and who lends to a Pod.

import type { GuaranteeUse } from "../../domain/guarantee/guarantee.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { ANNOUNCED_MS } from "../../domain/reservation/events.ts";
import { type ClaimUse, type Lender, reservationUses } from "../../domain/reservation/lent.ts";
import { isFor, type Reservation } from "../../domain/reservation/reservation.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { type SpotTenant, spotPods } from "../../store/pod/resources.ts";
import { findProject } from "../../store/project/project.ts";
import { activeReservations } from "../../store/reservation/reservation.ts";
import { heldByAccounts, reservationClaims } from "./claims.ts";
import { lentFrom, readGuaranteeUses, stockOf } from "./guaranteed.ts";
import { placesOf } from "./places.ts";
import { askerOf } from "./reserved.ts";

export interface Instants {
  /** Machines that reported since this instant count. */
  since: number;
  at: number;
}

/** A reservation of any account with what stands for it. */
export interface LentReservation {
  reservation: Reservation;
  use: ClaimUse;
}

/** The reservations that are active, or begin within a time, and the spot Pods. Reads nothing more if there are none. */
export function* readLent(
  { since, at }: Instants,
  aheadMs = 0,
): Tx<{ lent: LentReservation[]; spot: SpotTenant[] }> {
  const active = yield* activeReservations(at, aheadMs);
  if (active.length === 0) return { lent: [], spot: [] };
  const everywhere = yield* placesOf({ since, except: null, at, machine: null });
  const spot = yield* spotPods(null);
  const claims = yield* reservationClaims(active);
  const heldBy = yield* heldByAccounts(active, spot);
  const uses = reservationUses(claims, heldBy, stockOf(everywhere, lentFrom(spot, everywhere)));
  return { lent: uses.map((use, n) => ({ reservation: active[n]!, use })), spot };
}

/** For whom a spot Pod may be interrupted: reservations that are active or begin soon, and guarantees. */
export function* readLenders(pod: Pod, { since, at }: Instants): Tx<Lender[]> {
  const { accountId } = pod;
  const { gpuTypeId } = pod.placement;
  if (!pod.desired.spec.interruptible || gpuTypeId === null) return [];
  const asker = askerOf(pod);
  const { lent } = yield* readLent({ since, at }, ANNOUNCED_MS);
  const lenders = lent.flatMap(({ reservation: { from, until }, use }): Lender[] => {
    const { claim } = use;
    if (claim.gpuTypeId !== gpuTypeId || use.lent === 0) return [];
    if (isFor(claim, asker)) return [];
    const holder = claim.accountId === accountId ? claim.holder : "another account";
    return [{ gpuTypeId, lent: use.lent, holder, from: from > at ? from : null, until }];
  });
  const guarantees = yield* readGuaranteeUses(since, at);
  for (const each of guarantees) {
    if (each.gpuTypeId !== gpuTypeId || each.lent === 0) continue;
    const holder = yield* projectName(each, accountId);
    lenders.push({ gpuTypeId, lent: each.lent, holder, from: null, until: null });
  }
  return lenders;
}

function* projectName({ projectId, accountId }: GuaranteeUse, readerId: string): Tx<string> {
  if (accountId !== readerId) return "another account";
  const project = yield* findProject(projectId, accountId);
  return `project ${project?.name ?? projectId}`;
}
