// The free GPUs of machines without those that are reserved for others or guaranteed to them.

import type { Guarantee } from "../../domain/guarantee/guarantee.ts";
import { boundsFor } from "../../domain/guarantee/guarantee.ts";
import { withinBounds } from "../../domain/guarantee/within-bounds.ts";
import type { Place } from "../../domain/placement/place.ts";
import { keepFree } from "../../domain/reservation/keep-free.ts";
import {
  type Asker,
  type Reservation,
  unfilledOf,
  withheldFrom,
} from "../../domain/reservation/reservation.ts";
import { type Tx, together } from "../../store/engine/statement.ts";
import { allGuarantees } from "../../store/guarantee/guarantee.ts";
import { spotPods } from "../../store/pod/resources.ts";
import { activeReservations } from "../../store/reservation/reservation.ts";
import { heldByAccounts, reservationClaims } from "./claims.ts";
import { claimedBy, lentFrom, stockFor } from "./guaranteed.ts";
import { placesOf, type Search } from "./places.ts";

/** A search for a caller, who may take what is reserved for that caller. */
export interface SearchFor extends Search {
  asker: Asker;
  at: number;
}

export const askerOf = (subject: {
  accountId: string;
  owner?: { id: string } | undefined;
  ownerId?: string | null;
}): Asker => ({
  accountId: subject.accountId,
  memberId: subject.owner?.id ?? subject.ownerId ?? null,
});

interface Options {
  /** For a spot Pod, which borrows what is reserved for others or guaranteed to them. */
  spot?: boolean;
  /** How many GPUs are asked for; null if that is not known, or if no spot Pod leaves for it. */
  gpuCount?: number | null;
}

export function* placesFor(
  search: SearchFor,
  { spot = false, gpuCount = null }: Options = {},
): Tx<Place[]> {
  const places = yield* placesOf(search);
  if (spot) return places;
  const [active, guarantees] = (yield* together<unknown>([
    activeReservations(search.at),
    allGuarantees(),
  ])) as [Reservation[], Guarantee[]];
  if (active.length + guarantees.length === 0) return places;
  const { since, except, at, asker } = search;
  const everywhere = yield* placesOf({ since, except, at, machine: null });
  // Read after what is free: a GPU that is released in between counts as kept again, not as free. A spot Pod that ends
  // before the holdings are read counts as lent.
  const tenants = yield* spotPods(null);
  const reserved = yield* reservationClaims(active);
  const heldBy = yield* heldByAccounts([...active, ...guarantees], tenants);
  const lentOf = lentFrom(tenants, everywhere);
  const demand = gpuCount === null ? null : { gpuCount, lentOf };
  const withheld = withheldFrom(asker, reserved, heldBy);
  const left = keepFree(places, withheld, everywhere, demand);
  const claims = yield* claimedBy(guarantees, { reserved, heldBy });
  const own = unfilledOf(asker, reserved, heldBy).filter(({ isOwn }) => isOwn);
  const reservedFor = (gpuTypeId: string) =>
    own.reduce((sum, { claim, missing }) => sum + (claim.gpuTypeId === gpuTypeId ? missing : 0), 0);
  const bounds = boundsFor(asker, claims, stockFor(withheld, everywhere, lentOf), reservedFor);
  return withinBounds(left, bounds);
}
