// Tells the holder of a reservation that its GPUs are short, and the Pods that hold them that they are needed: before it begins, and
// again when it begins.

import { freeGpus } from "../../domain/placement/place.ts";
import { borrowerText, gpusReserved, reservationShort } from "../../domain/reservation/events.ts";
import {
  type Claim,
  isFor,
  type Reservation,
  shortageOf,
} from "../../domain/reservation/reservation.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { addSystemLine } from "../../store/log/system-log.ts";
import { type GpuPod, podsOnGpuType, spotPods } from "../../store/pod/resources.ts";
import { markAnnounced } from "../../store/reservation/notices.ts";
import { activeReservations } from "../../store/reservation/reservation.ts";
import { raiseEvent } from "../notification/raise.ts";
import { heldByAccounts, reservationClaims } from "../place/claims.ts";
import { placesOf } from "../place/places.ts";

export function* announceReservation(
  reservation: Reservation,
  since: number,
  at: number,
): Tx<void> {
  if (!(yield* markAnnounced(reservation, at))) return;
  const { id, accountId, gpuTypeId, from } = reservation;
  const active = yield* activeReservations(Math.max(from, at));
  const others = active.filter((each) => each.gpuTypeId === gpuTypeId && each.id !== id);
  const claims = yield* reservationClaims([...others, reservation]);
  const claim = claims.at(-1)!;
  const free = yield* freeOf(gpuTypeId, since, at);
  const heldBy = yield* heldByAccounts(claims, yield* spotPods(null));
  const short = shortageOf(claim, claims, heldBy, free);
  if (short === 0) return;
  yield* raiseEvent(accountId, reservationShort(reservation, { holder: claim.holder, short, at }));
  for (const pod of yield* borrowersOf(claim, short)) {
    const holder = pod.accountId === accountId ? claim.holder : "another account";
    const text = borrowerText(pod, reservation, { holder, at });
    yield* addSystemLine(pod.id, at, text);
    yield* raiseEvent(pod.accountId, gpusReserved(pod, reservation, { holder, at }));
  }
}

function* freeOf(gpuTypeId: string, since: number, at: number): Tx<number> {
  const places = yield* placesOf({ since, machine: null, except: null, at });
  const open = places.filter(({ closed }) => closed === null);
  return freeGpus(open, gpuTypeId);
}

/**
 * Any spot Pod may have to leave, also one of the holder, which needs no notice. Where those do not suffice, the other Pods of the
 * account are asked; other accounts' are not.
 */
function* borrowersOf(claim: Claim, short: number): Tx<GpuPod[]> {
  const pods = yield* podsOnGpuType(claim.gpuTypeId);
  const spotGpus = pods.reduce(
    (sum, { interruptible, gpuCount }) => sum + (interruptible ? gpuCount : 0),
    0,
  );
  const others = pods.filter(
    ({ accountId, ownerId }) => !isFor(claim, { accountId, memberId: ownerId }),
  );
  const spot = others.filter(({ interruptible }) => interruptible);
  if (spotGpus >= short) return spot;
  const own = others.filter(
    ({ interruptible, accountId }) => !interruptible && accountId === claim.accountId,
  );
  return [...spot, ...own];
}
