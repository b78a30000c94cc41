// The order of the line: first come, first served over all accounts. A request passes an earlier one only if that one waits
// for something else. Pure.

import { decidePlacement } from "../placement/decide.ts";
import type { Place } from "../placement/place.ts";
import { acceptsType, type PlacementRequest } from "../placement/request.ts";
import type { ExceededLimit } from "../quota/quota.ts";
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
  /** The places that could run it if they were empty, as `placesFor` names them. */
  places: ReadonlySet<string>;
}

export type Waiter = InLine & { waiting: Waiting };

/** The machines that could run it, each with the GPU type for a request with GPUs. `places` are empty ones. */
export function placesFor(request: PlacementRequest, places: readonly Place[]): Set<string> {
  const { compute } = request;
  const fits = (each: PlacementRequest, place: Place) => "placed" in decidePlacement(each, [place]);
  if (compute.kind === "CPU") {
    return new Set(places.filter((place) => fits(request, place)).map(({ machine }) => machine));
  }
  const accepted = ({ typeId }: { typeId: string }) => acceptsType(compute, typeId);
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

/** The earlier requests that this one must not pass. */
export function requestsAhead<Earlier extends Waiter>(
  earlier: readonly Earlier[],
  later: InLine,
): Earlier[] {
  return earlier.filter((each) => mustPrecede(each, later));
}

function mustPrecede(earlier: Waiter, later: InLine): boolean {
  const { waiting } = earlier;
  switch (waiting.code) {
    case "no_capacity":
      // An on-demand Pod takes the place of a spot Pod anyway.
      if (earlier.request.spot && !later.request.spot) return false;
      return !earlier.places.isDisjointFrom(later.places);
    case "quota_exceeded":
      return countsAgainst(earlier, later, waiting.limit) && adds(later, waiting.limit);
    case "no_credits":
      return earlier.accountId === later.accountId;
    // A budget that is spent refuses every request that counts against it, whatever the order.
    case "budget_spent":
      return false;
  }
}

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
