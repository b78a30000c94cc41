// Which spot Pods give way where nothing is free: on one machine as few as will do, and of these the
// newest. Pure.

import { covers, type Lack, need } from "./cover.ts";
import type { Placed } from "./decide.ts";
import { unfit } from "./filters.ts";
import type { Place } from "./place.ts";
import type { PlacementWish } from "./wish.ts";

/** A spot Pod that runs. What exists on paper only, and its volume, are not given back. */
export interface Tenant {
  id: string;
  machine: string;
  /** When it was wanted to run. */
  since: number;
  vcpus: number;
  memoryMb: number;
  diskGb: number;
  gpuTypeId: string | null;
  virtual: boolean;
  gpus: readonly number[];
}

interface Eviction {
  placed: Placed;
  /** Its victim that has been there for the longest. */
  oldest: number;
  /** The place of its GPU type, and of its data center, in lists whose order was asked for. */
  rank: number;
}

export function decideEviction(
  wish: PlacementWish,
  places: readonly Place[],
  tenants: readonly Tenant[],
): Placed | null {
  const onMachine = Map.groupBy(tenants, ({ machine }) => machine);
  let best: Eviction | null = null;
  for (const place of places) {
    const there = onMachine.get(place.machine);
    if (!there || unfit(wish, place) !== null) continue;
    for (const eviction of evictions(wish, place, there.toSorted(newestFirst))) {
      if (!best || before(eviction, best)) best = eviction;
    }
  }
  return best?.placed ?? null;
}

const newestFirst = (a: Tenant, b: Tenant) => b.since - a.since || (a.id < b.id ? -1 : 1);

/** One for each kind of GPU there is on the machine; one at all where none is asked for. */
function evictions(wish: PlacementWish, place: Place, tenants: Tenant[]): Eviction[] {
  const { compute } = wish;
  if (compute.kind === "CPU" || compute.count === 0) {
    const victims = fewest(lackOf(wish, place, 0), tenants, () => 0);
    const placed = { gpuTypeId: null, gpuIndices: [], virtual: false };
    return victims ? [evictionOf(wish, place, placed, victims)] : [];
  }
  return place.free.gpus.flatMap(({ typeId, virtual, indices }) => {
    if (compute.typeIds.length > 0 && !compute.typeIds.includes(typeId)) return [];
    const its = (tenant: Tenant) =>
      tenant.gpuTypeId === typeId && tenant.virtual === virtual ? tenant.gpus : [];
    const gpus = compute.count - indices.length;
    const lack = virtual ? need({ gpus }) : lackOf(wish, place, gpus);
    const victims = fewest(lack, tenants, (tenant) => its(tenant).length);
    if (!victims) return [];
    const gpuIndices = [...indices, ...victims.flatMap(its)].slice(0, compute.count);
    return [evictionOf(wish, place, { gpuTypeId: typeId, gpuIndices, virtual }, victims)];
  });
}

function lackOf({ compute, diskGb }: PlacementWish, { free }: Place, gpus: number): Lack {
  return need({
    gpus,
    vcpus: compute.vcpus - free.vcpus,
    memoryMb: compute.memoryMb - free.memoryMb,
    diskGb: diskGb - free.diskGb,
  });
}

function fewest(lack: Lack, tenants: Tenant[], gpusOf: (tenant: Tenant) => number) {
  const gives = tenants.map((tenant) => {
    const { vcpus, memoryMb, diskGb } = tenant;
    return need({ gpus: gpusOf(tenant), vcpus, memoryMb, diskGb });
  });
  return covers(lack, gives)?.map((n) => tenants[n]!) ?? null;
}

function evictionOf(
  { compute, dataCenterIds, dataCentersByStock }: PlacementWish,
  { machine, inventory }: Place,
  placed: Pick<Placed, "gpuTypeId" | "gpuIndices" | "virtual">,
  victims: Tenant[],
): Eviction {
  const ordered = compute.kind === "GPU" && !compute.byStock;
  const type = ordered ? compute.typeIds.indexOf(placed.gpuTypeId ?? "") : 0;
  const center = dataCentersByStock ? 0 : dataCenterIds.indexOf(inventory.dataCenterId ?? "");
  return {
    placed: { machine, ...placed, evicts: victims.map(({ id }) => id) },
    oldest: Math.min(...victims.map(({ since }) => since)),
    rank: type * (dataCenterIds.length + 1) + center,
  };
}

function before(a: Eviction, b: Eviction): boolean {
  const order =
    Number(a.placed.virtual) - Number(b.placed.virtual) ||
    a.placed.evicts.length - b.placed.evicts.length ||
    a.rank - b.rank ||
    b.oldest - a.oldest;
  return order === 0 ? a.placed.machine < b.placed.machine : order < 0;
}
