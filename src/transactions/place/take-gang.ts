// Takes the places of all Pods of a cluster, or none.

import type { Placed } from "../../domain/placement/decide.ts";
import { gangRequest, memberPlaces, roomFor } from "../../domain/placement/gang.ts";
import type { PlacementRequest } from "../../domain/placement/request.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { placesOf, type Search } from "./places.ts";
import { takePlace } from "./take.ts";

export interface Gang {
  /** Of one Pod. */
  request: PlacementRequest;
  count: number;
  /** The disk that all of them need once. */
  sharedGb: number;
}

/** By rank; or how many Pods the machine with the most room would take. */
export type GangPlacement = { placed: Placed[] } | { room: number };

/** All members go to one machine, whose engine connects them. */
export function* takeGang(
  { request, count, sharedGb }: Gang,
  search: Search,
  at: number,
): Tx<GangPlacement> {
  const whole = yield* takePlace(gangRequest(request, count, sharedGb), search, at);
  if ("placed" in whole) return { placed: memberPlaces(whole.placed, count) };
  const places = yield* placesOf({ ...search, at });
  return { room: Math.max(0, ...places.map((place) => roomFor(request, count, sharedGb, place))) };
}
