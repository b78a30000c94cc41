// Takes the places of all Pods of a cluster, or none.

import type { Placed } from "../../domain/placement/decide.ts";
import { gangRequest, memberPlaces, roomFor } from "../../domain/placement/gang.ts";
import type { PlacementRequest } from "../../domain/placement/request.ts";
import { spreadGang } from "../../domain/placement/spread.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { fabricMachines } from "../../store/fabric/fabric.ts";
import { lockMachine } from "../../store/replica/offers.ts";
import { placesFor, type SearchFor } from "./reserved.ts";
import { takePlace } from "./take.ts";

export interface Gang {
  /** What one Pod requests. */
  request: PlacementRequest;
  count: number;
  /** The disk that all of them need once. */
  sharedGb: number;
  /** Whether they may be on several machines. */
  maySpread: boolean;
}

/**
 * The places by rank, with the Pods to evict, and the fabric if they are on several machines; or how many Pods one machine,
 * or the machines of one fabric, would take.
 */
export type GangPlacement =
  | { placed: Placed[]; evicts: string[]; fabric: string | null }
  | { room: number };

/** One machine is preferred; otherwise the members spread over the machines of one fabric. */
export function* takeGang(
  { request, count, sharedGb, maySpread }: Gang,
  search: Omit<SearchFor, "at">,
  at: number,
): Tx<GangPlacement> {
  const whole = yield* takePlace(gangRequest(request, count, sharedGb), search, at);
  if ("placed" in whole) {
    const { placed } = whole;
    return { placed: memberPlaces(placed, count), evicts: placed.evicts, fabric: null };
  }
  const spread = maySpread ? yield* takeSpread({ request, count }, search, at) : { room: 0 };
  if ("placed" in spread) return spread;
  const places = yield* placesFor({ ...search, at });
  const rooms = places.map((place) => roomFor(request, count, sharedGb, place));
  return { room: Math.max(spread.room, ...rooms) };
}

function* takeSpread(
  { request, count }: Pick<Gang, "request" | "count">,
  search: Omit<SearchFor, "at">,
  at: number,
): Tx<GangPlacement> {
  const parts = (yield* fabricMachines()).filter(({ trouble }) => trouble === null);
  // In one order, so that two concurrent decisions do not wait for each other.
  for (const { machine } of parts) yield* lockMachine(machine);
  const fabricOf = new Map(parts.map(({ machine, fabric }) => [machine, fabric]));
  const places = (yield* placesFor({ ...search, at })).flatMap((place) => {
    const fabric = place.inventory.fabric?.name;
    // A machine that moved to another fabric has not joined it yet.
    const isPart = fabric !== undefined && fabric === fabricOf.get(place.machine);
    return isPart ? [{ fabric, place }] : [];
  });
  const spread = spreadGang(request, count, places);
  if ("room" in spread) return spread;
  const placed: Placed[] = [];
  const evicts: string[] = [];
  for (const { machine, count: n } of spread.shares) {
    const share = yield* takePlace(gangRequest(request, n, 0), { ...search, machine }, at);
    // The machines are locked, but a GPU that is released meanwhile may count as reserved before it counts as free.
    if (!("placed" in share)) return { room: placed.length };
    placed.push(...memberPlaces(share.placed, n));
    evicts.push(...share.placed.evicts);
  }
  return { placed, evicts, fabric: spread.fabric };
}
