// The placement of a cluster over the machines of one fabric, if no single machine has room for all. Pure.

import { roomFor } from "./gang.ts";
import type { Place } from "./place.ts";
import { acceptsType, type PlacementRequest } from "./request.ts";

/** How many Pods of a cluster a machine takes. */
export interface SpreadShare {
  machine: string;
  count: number;
}

export interface FabricPlace {
  fabric: string;
  place: Place;
}

export type Spread = { fabric: string; shares: SpreadShare[] } | { room: number };

/** The fewest machines of one fabric that have room for all; or the most Pods that a fabric has room for. */
export function spreadGang(
  request: PlacementRequest,
  count: number,
  places: readonly FabricPlace[],
): Spread {
  let best: { fabric: string; shares: SpreadShare[] } | null = null;
  let room = 0;
  const fabrics = [...Map.groupBy(places, ({ fabric }) => fabric)].sort(byName);
  for (const [fabric, members] of fabrics) {
    const shares = sharesOf(request, count, members);
    const inAll = shares.reduce((total, share) => total + share.count, 0);
    const sum = Math.min(inAll, mostOf(request, members));
    room = Math.max(room, sum);
    if (sum < count) continue;
    if (!best || shares.length < best.shares.length) best = { fabric, shares };
  }
  return best ?? { room };
}

/** How many Pods what is reserved for others and guaranteed to them leaves room for, on all machines. */
function mostOf({ compute }: PlacementRequest, places: readonly FabricPlace[]): number {
  if (compute.kind === "CPU" || compute.count === 0) return Number.POSITIVE_INFINITY;
  const gpus = places.flatMap(({ place: { free } }) => free.gpus);
  const accepted = gpus.filter(({ typeId }) => acceptsType(compute, typeId));
  const left = accepted.map(({ left: each = Number.POSITIVE_INFINITY }) => each);
  return Math.floor(Math.min(...left) / compute.count);
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);

/** The machines with the most room first, up to so many Pods. */
function sharesOf(
  request: PlacementRequest,
  count: number,
  places: readonly FabricPlace[],
): SpreadShare[] {
  const rooms = places
    .map(({ place }) => ({
      machine: place.machine,
      count: roomFor(request, count, 0, place),
    }))
    .filter((share) => share.count > 0)
    .sort((a, b) => b.count - a.count || (a.machine < b.machine ? -1 : 1));
  const shares: SpreadShare[] = [];
  let left = count;
  for (const { machine, count: room } of rooms) {
    if (left === 0) break;
    shares.push({ machine, count: Math.min(room, left) });
    left -= Math.min(room, left);
  }
  return shares;
}
