// What a request may try whose turn is after others: it passes an earlier one only if there is a place for it that the earlier
// one does not wait for. Pure.

import { decidePlacement } from "../placement/decide.ts";
import type { Place } from "../placement/place.ts";
import { acceptsType, type PlacementRequest } from "../placement/request.ts";
import type { ExceededLimit } from "../quota/quota.ts";
import { type Asker, isFor, type Unfilled } from "../reservation/reservation.ts";
import type { Waiting } from "./waiting.ts";

/** A request in line, or one that would enter it. */
export interface InLine {
  accountId: string;
  ownerId: string | null;
  /** The project of its owner; null for none. */
  projectId: string | null;
  request: PlacementRequest;
  /** The size of its volume; 0 without one. */
  volumeInGb: number;
  /** Whether it accepts a GPU type that no quota rules out for good. */
  isAllowed: boolean;
  /** The places that could run it if they were empty, as `placesFor` names them, without GPU types that a quota rules out. */
  places: ReadonlySet<string>;
  /** GPU types of which it may take what its project is guaranteed, before others that wait. */
  entitled?: ReadonlySet<string>;
  /** What is reserved for its owner and not in use; absent for nothing. */
  reserved?: readonly Unfilled[];
}

export type Waiter = InLine & { waiting: Waiting };

/** Whether it accepts a GPU type that no quota rules out for good; true without GPUs. */
export function isAllowed({ compute }: PlacementRequest, ruledOut: readonly string[]): boolean {
  if (compute.kind === "CPU") return true;
  const accepted = compute.typeIds.length > 0 ? compute.typeIds : compute.offered;
  return accepted?.some((id) => !ruledOut.includes(id)) ?? true;
}

/** The machines that could run it, each with the GPU type for a request with GPUs. `places` are empty ones. */
export function placesFor(
  request: PlacementRequest,
  places: readonly Place[],
  ruledOut: readonly string[] = [],
): Set<string> {
  const { compute } = request;
  const fits = (each: PlacementRequest, place: Place) => "placed" in decidePlacement(each, [place]);
  if (compute.kind === "CPU") {
    return new Set(places.filter((place) => fits(request, place)).map(({ machine }) => machine));
  }
  const accepted = ({ typeId }: { typeId: string }) =>
    acceptsType(compute, typeId) && !ruledOut.includes(typeId);
  return new Set(
    places.flatMap((place) =>
      place.free.gpus
        .filter(accepted)
        .filter(({ typeId }) => fits(withType(request, typeId), place))
        .map(({ typeId }) => `${place.machine} ${typeId}`),
    ),
  );
}

const withType = (request: PlacementRequest, typeId: string): PlacementRequest =>
  request.compute.kind === "CPU"
    ? request
    : { ...request, compute: { ...request.compute, typeIds: [typeId] } };

/** The earlier requests that wait for something which this one needs too. */
export function requestsAhead<Earlier extends Waiter>(
  earlier: readonly Earlier[],
  later: InLine,
): Earlier[] {
  return earlier.filter((each) => claimOf(each, later) !== null);
}

/** The first earlier request that leaves it no place to try; otherwise the places that earlier ones wait for. */
export function turnOf<Earlier extends Waiter>(
  earlier: readonly Earlier[],
  later: InLine,
): { behind: Earlier } | { claimed: ReadonlySet<string> } {
  let claimed: ReadonlySet<string> = new Set();
  for (const each of earlier) {
    const claim = claimOf(each, later);
    if (claim === null) continue;
    if (claim === "all") return { behind: each };
    claimed = claimed.union(claim);
    if (later.places.isSubsetOf(claimed)) return { behind: each };
  }
  return { claimed };
}

/** What the earlier request waits for of what the later one needs: some of its places, or what it needs in any; null for nothing. */
function claimOf(earlier: Waiter, later: InLine): "all" | ReadonlySet<string> | null {
  const { waiting } = earlier;
  switch (waiting.code) {
    case "no_capacity":
      // An on-demand Pod takes the place of a spot Pod anyway.
      if (earlier.request.spot && !later.request.spot) return null;
      // A spot Pod borrows what is kept from the earlier one, and yields it to on-demand Pods.
      if (waiting.isKept && later.request.spot && !earlier.request.spot) return null;
      return orNull(withoutEntitled(earlier, later).intersection(earlier.places));
    case "quota_exceeded": {
      const { limit } = waiting;
      if (!countsAgainst(earlier, later, limit) || !adds(later, limit)) return null;
      if (limit.gpuTypeId === null || later.places.size === 0) return "all";
      return orNull(placesOfType(later.places, limit.gpuTypeId));
    }
    case "no_credits":
      return earlier.accountId === later.accountId ? "all" : null;
    // A budget that is spent refuses every request that counts against it, whatever the order.
    case "budget_spent":
      return null;
  }
}

/** The places at which the later request has no claim that the earlier one lacks. */
function withoutEntitled(earlier: InLine, later: InLine): ReadonlySet<string> {
  const { projectId, places, entitled = [], reserved = [] } = later;
  const guaranteed = earlier.projectId === projectId ? [] : entitled;
  const types = new Set([
    ...guaranteed,
    ...reserved
      .map(({ claim }) => claim.gpuTypeId)
      .filter((id) => isReserved(later, id, { ...earlier, memberId: earlier.ownerId })),
  ]);
  return [...types].reduce((left, id) => left.difference(placesOfType(left, id)), places);
}

/** Whether the request needs no more than what is reserved for its owner and not for another. */
function isReserved(
  { request: { compute }, reserved = [] }: InLine,
  typeId: string,
  another: Asker,
): boolean {
  const gpus = compute.kind === "GPU" ? compute.count : 0;
  const its = reserved.filter(({ claim }) => claim.gpuTypeId === typeId && !isFor(claim, another));
  return gpus > 0 && its.reduce((sum, { missing }) => sum + missing, 0) >= gpus;
}

const orNull = (places: ReadonlySet<string>) => (places.size > 0 ? places : null);

const placesOfType = (places: ReadonlySet<string>, typeId: string): ReadonlySet<string> =>
  new Set([...places].filter((place) => place.slice(place.indexOf(" ") + 1) === typeId));

function countsAgainst(earlier: InLine, later: InLine, { of }: ExceededLimit): boolean {
  if (earlier.accountId !== later.accountId) return false;
  if (of === "account") return true;
  if (of === "member") return earlier.ownerId === later.ownerId;
  return earlier.projectId !== null && earlier.projectId === later.projectId;
}

/** Whether the request needs some of what the limit counts. */
function adds(
  { request: { compute }, volumeInGb }: InLine,
  { measure, gpuTypeId }: ExceededLimit,
): boolean {
  if (measure === "volumeGb") return volumeInGb > 0;
  if (measure !== "gpus") return true;
  if (compute.kind === "CPU") return false;
  return gpuTypeId === null || acceptsType(compute, gpuTypeId);
}
