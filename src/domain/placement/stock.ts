// The stock of a GPU type: how much is free for a request, and on which machine. Pure.

import type { Catalog } from "../catalog/catalog.ts";
import { compareCudaVersions } from "../catalog/cuda-version.ts";
import { atOnce, exceedsCpus, lack } from "./decide.ts";
import { unfit } from "./filters.ts";
import type { FreeGpus, Place } from "./place.ts";
import type { PlacementRequest } from "./request.ts";

export type StockLevel = "High" | "Medium" | "Low";

export interface Stock {
  /** Null if no machine has enough free GPUs for the request. */
  level: StockLevel | null;
  /** The GPU counts that one machine can provide at once. */
  counts: number[];
  /** The machine that would be chosen, or null. */
  best: Place | null;
}

/** Free GPUs by type, so that many queries need one pass over the machines. */
export type Shelf = ReadonlyMap<string, readonly { place: Place; gpus: FreeGpus }[]>;

export function shelfOf(places: readonly Place[]): Shelf {
  const all = places.flatMap((place) => place.free.gpus.map((gpus) => ({ place, gpus })));
  return Map.groupBy(all, ({ gpus }) => gpus.typeId);
}

/** The CUDA versions of the catalog, and those of machines, newest first. */
export function versionsIn({ cudaVersions }: Catalog, places: readonly Place[]): string[] {
  const reported = places.flatMap(({ inventory }) => inventory.cudaVersion ?? []);
  return [...new Set([...cudaVersions, ...reported])].sort((a, b) => compareCudaVersions(b, a));
}

/** The stock of one type for a request. Any driver fits, because the image is not known yet. */
export function stockOf(shelf: Shelf, typeId: string, request: PlacementRequest): Stock {
  const requested = request.compute.kind === "GPU" ? Math.max(1, request.compute.count) : 1;
  let largest = 0;
  let times = 0;
  let best: Place | null = null;
  for (const { place, gpus } of shelf.get(typeId) ?? []) {
    const here = { ...request, driver: place.drivers[0] ?? request.driver };
    if (unfit(here, place) !== null || (!gpus.virtual && lack(here, place) !== null)) continue;
    const free = atOnce(gpus);
    if (free > largest) largest = free;
    if (free < requested) continue;
    if (best === null) best = place;
    times += Math.floor((requested === 1 ? gpus.indices.length : free) / requested);
  }
  return { level: levelOf(times), counts: Array.from({ length: largest }, (_, n) => n + 1), best };
}

/** The stock by the number of such requests that could be placed one after another. */
function levelOf(times: number): StockLevel | null {
  if (times === 0) return null;
  if (times <= 2) return "Low";
  return times <= 5 ? "Medium" : "High";
}

/** The stock of a CPU flavor by the number of such Pods that could be placed. */
export function cpuStockOf(
  places: readonly Place[],
  requested: { vcpus: number; memoryMb: number; dataCenterIds: readonly string[] },
): StockLevel | null {
  const { vcpus, memoryMb, dataCenterIds } = requested;
  const rooms = places
    .filter(({ inventory }) => {
      const { dataCenterId: has } = inventory;
      if (exceedsCpus(vcpus, inventory)) return false;
      return has === null || dataCenterIds.length === 0 || dataCenterIds.includes(has);
    })
    .map(({ free }) => Math.floor(Math.min(free.vcpus / vcpus, free.memoryMb / memoryMb)));
  return levelOf(rooms.reduce((sum, room) => sum + Math.max(0, room), 0));
}
