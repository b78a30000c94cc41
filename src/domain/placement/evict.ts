// The eviction decision: the spot Pods to evict if nothing is free. They are on one machine, as few as
// possible, and the newest. Pure.

import { faultyGpus } from "../gpu/gpu-health.ts";
import { onDifferentGpus, wholeNumber } from "../gpu-share/gpu-share.ts";
import { type Amounts, amountsOf, coverShortage } from "./cover.ts";
import { exceedsCpus, type Placed, whereOn } from "./decide.ts";
import { unfit } from "./filters.ts";
import type { Place } from "./place.ts";
import { acceptsType, type PlacementRequest } from "./request.ts";

/** A running spot Pod. Its virtual resources and its volume are not released. */
export interface Tenant {
  id: string;
  machine: string;
  /** When its desired state became RUNNING. */
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
  /** When the oldest of its victims started. */
  oldest: number;
  /** The rank of its GPU type and its data center in the ordered lists of the request. */
  rank: number;
}

export function decideEviction(
  request: PlacementRequest,
  places: readonly Place[],
  tenants: readonly Tenant[],
): Placed | null {
  const onMachine = Map.groupBy(tenants, ({ machine }) => machine);
  let best: Eviction | null = null;
  for (const place of places) {
    const running = onMachine.get(place.machine);
    if (!running || unfit(request, place) !== null) continue;
    for (const eviction of evictions(request, place, running.toSorted(newestFirst))) {
      if (!best || before(eviction, best)) best = eviction;
    }
  }
  return best?.placed ?? null;
}

const newestFirst = (a: Tenant, b: Tenant) => b.since - a.since || (a.id < b.id ? -1 : 1);

/** One eviction for each GPU type on the machine; a single one if the request has no GPU. */
function evictions(request: PlacementRequest, place: Place, tenants: Tenant[]): Eviction[] {
  const { compute } = request;
  if (compute.kind === "CPU" || compute.count === 0) {
    const victims = fewest(missingOf(request, place, 0), tenants, () => []);
    const placed = { gpuTypeId: null, gpuIndices: [], virtual: false };
    return victims ? [evictionOf(request, place, placed, victims)] : [];
  }
  const faulty = faultyGpus(place.inventory);
  return place.free.gpus.flatMap(({ typeId, virtual, indices, owed = 0 }) => {
    if (!acceptsType(compute, typeId)) return [];
    const its = (tenant: Tenant) =>
      tenant.gpuTypeId === typeId && tenant.virtual === virtual
        ? tenant.gpus.filter((index) => !faulty.has(index))
        : [];
    const gpus = compute.count - onDifferentGpus(indices).length + owed;
    const shortage = virtual ? amountsOf({ gpus }) : missingOf(request, place, gpus);
    const present = new Set(indices.map(wholeNumber));
    const freedBy = (tenant: Tenant) =>
      its(tenant)
        .map(wholeNumber)
        .filter((whole) => !present.has(whole));
    const victims = fewest(shortage, tenants, freedBy);
    if (!victims) return [];
    const both = onDifferentGpus([...indices, ...victims.flatMap(its)]);
    const gpuIndices = both.slice(0, compute.count);
    if (gpuIndices.length < compute.count) return [];
    return [evictionOf(request, place, { gpuTypeId: typeId, gpuIndices, virtual }, victims)];
  });
}

function missingOf(request: PlacementRequest, { free, inventory }: Place, gpus: number): Amounts {
  const { compute, vcpusOfEach = compute.vcpus, diskGb } = request;
  const isTooLarge = exceedsCpus(vcpusOfEach, inventory);
  return amountsOf({
    gpus,
    vcpus: isTooLarge ? Number.POSITIVE_INFINITY : compute.vcpus - free.vcpus,
    memoryMb: compute.memoryMb - free.memoryMb,
    diskGb: diskGb - free.diskGb,
  });
}

function fewest(shortage: Amounts, tenants: Tenant[], gpusOf: (tenant: Tenant) => number[]) {
  const supplies = tenants.map((tenant) => {
    const { vcpus, memoryMb, diskGb } = tenant;
    return { vcpus, memoryMb, diskGb, gpus: gpusOf(tenant) };
  });
  return coverShortage(shortage, supplies)?.map((n) => tenants[n]!) ?? null;
}

function evictionOf(
  request: PlacementRequest,
  place: Place,
  placed: Pick<Placed, "gpuTypeId" | "gpuIndices" | "virtual">,
  victims: Tenant[],
): Eviction {
  const { compute, dataCenterIds, dataCentersByStock } = request;
  const { inventory } = place;
  const ordered = compute.kind === "GPU" && !compute.byStock;
  const type = ordered ? compute.typeIds.indexOf(placed.gpuTypeId ?? "") : 0;
  const center = dataCentersByStock ? 0 : dataCenterIds.indexOf(inventory.dataCenterId ?? "");
  return {
    placed: { ...whereOn(place, request), ...placed, evicts: victims.map(({ id }) => id) },
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
