// How much of a GPU type is free for what somebody asks, and where. Pure.

import { lack } from "../placement/decide.ts";
import { unfit } from "../placement/filters.ts";
import type { FreeGpus, Place } from "../placement/place.ts";
import type { PlacementWish } from "../placement/wish.ts";

export type StockLevel = "High" | "Medium" | "Low";

export interface Stock {
  /** Null where what was asked for is not free anywhere. */
  level: StockLevel | null;
  /** So many can be had at once on one machine. */
  counts: number[];
  /** Where it would go; null where nowhere. */
  best: Place | null;
}

/** Free GPUs by their type, so that many questions cost one look at the machines. */
export type Shelf = ReadonlyMap<string, readonly { place: Place; gpus: FreeGpus }[]>;

export function shelfOf(places: readonly Place[]): Shelf {
  const all = places.flatMap((place) => place.free.gpus.map((gpus) => ({ place, gpus })));
  return Map.groupBy(all, ({ gpus }) => gpus.typeId);
}

/** What the wish asks of the type. Any driver will do: an image is not known yet. */
export function stockOf(shelf: Shelf, typeId: string, wish: PlacementWish): Stock {
  const asked = wish.compute.kind === "GPU" ? Math.max(1, wish.compute.count) : 1;
  let most = 0;
  let times = 0;
  let best: Place | null = null;
  for (const { place, gpus } of shelf.get(typeId) ?? []) {
    const here = { ...wish, driver: place.drivers[0] ?? wish.driver };
    if (unfit(here, place) !== null || (!gpus.virtual && lack(here, place) !== null)) continue;
    const free = gpus.indices.length;
    if (free > most) most = free;
    if (free < asked) continue;
    if (best === null) best = place;
    times += Math.floor(free / asked);
  }
  return { level: levelOf(times), counts: Array.from({ length: most }, (_, n) => n + 1), best };
}

/** By how many could have what was asked for, one after the other. */
function levelOf(times: number): StockLevel | null {
  if (times === 0) return null;
  if (times <= 2) return "Low";
  return times <= 5 ? "Medium" : "High";
}

/** Of CPUs, by how many such Pods have room. */
export function cpuStockOf(
  places: readonly Place[],
  asked: { vcpus: number; memoryMb: number; dataCenterIds: readonly string[] },
): StockLevel | null {
  const { vcpus, memoryMb, dataCenterIds } = asked;
  const rooms = places
    .filter(({ inventory: { dataCenterId: has } }) => {
      return has === null || dataCenterIds.length === 0 || dataCenterIds.includes(has);
    })
    .map(({ free }) => Math.floor(Math.min(free.vcpus / vcpus, free.memoryMb / memoryMb)));
  return levelOf(rooms.reduce((sum, room) => sum + Math.max(0, room), 0));
}
