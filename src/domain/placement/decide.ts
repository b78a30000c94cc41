// Where a Pod goes: a machine that fits, and which of its GPUs. Pure. The reasons against machines
// are only told where none was found, for they cost more than the decision.

import { unfit } from "./filters.ts";
import type { FreeGpus, Place } from "./place.ts";
import type { GpuWish, PlacementWish } from "./wish.ts";

export interface Placed {
  machine: string;
  /** Null where it has no GPU. */
  gpuTypeId: string | null;
  gpuIndices: number[];
  /** Its GPUs exist only on paper, and so do CPUs, memory and disk that come with them. */
  virtual: boolean;
  /** Spot Pods that give way to it. */
  evicts: string[];
}

/** Why a machine was passed over. */
export interface PassedOver {
  machine: string;
  reason: string;
}

export type Placement = { placed: Placed } | { passedOver: PassedOver[] };

export function decidePlacement(wish: PlacementWish, places: readonly Place[]): Placement {
  const placed =
    wish.compute.kind === "GPU" && wish.compute.count > 0
      ? onGpus(wish, wish.compute, places)
      : withoutGpus(wish, places);
  if (placed) return { placed };
  return { passedOver: places.map((place) => passOver(wish, place)) };
}

interface Candidate {
  place: Place;
  gpus: FreeGpus;
}

function onGpus(wish: PlacementWish, gpu: GpuWish, places: readonly Place[]): Placed | null {
  const candidates: Candidate[] = [];
  const stockOfType = new Map<string, number>();
  const stockOfCenter = new Map<string, number>();
  for (const place of places) {
    if (unfit(wish, place) !== null) continue;
    for (const gpus of place.free.gpus) {
      if (gpus.indices.length < gpu.count || !asked(gpu, gpus.typeId)) continue;
      if (!gpus.virtual && lack(wish, place) !== null) continue;
      candidates.push({ place, gpus });
      add(stockOfType, gpus.typeId, gpus.indices.length);
      add(stockOfCenter, place.inventory.dataCenterId ?? "", gpus.indices.length);
    }
  }
  const typeRank = rank(gpu.byStock ? [] : gpu.typeIds, stockOfType);
  const centerRank = rank(wish.dataCentersByStock ? [] : wish.dataCenterIds, stockOfCenter);
  let best: Candidate | null = null;
  for (const candidate of candidates) {
    if (!best || before(candidate, best, typeRank, centerRank)) best = candidate;
  }
  return (
    best && {
      machine: best.place.machine,
      gpuTypeId: best.gpus.typeId,
      gpuIndices: best.gpus.indices.slice(0, gpu.count),
      virtual: best.gpus.virtual,
      evicts: [],
    }
  );
}

const asked = ({ typeIds }: GpuWish, typeId: string) =>
  typeIds.length === 0 || typeIds.includes(typeId);

const add = (counts: Map<string, number>, key: string, n: number) =>
  counts.set(key, (counts.get(key) ?? 0) + n);

type Rank = (key: string) => number;

/** The place in a list, or where there is none the more the better. Lower goes first. */
function rank(order: readonly string[], stock: ReadonlyMap<string, number>): Rank {
  if (order.length === 0) return (key) => -(stock.get(key) ?? 0);
  return (key) => (order.includes(key) ? order.indexOf(key) : order.length);
}

/** Real ones before those on paper; then the fewest left over, so that many together stay free. */
function before(a: Candidate, b: Candidate, typeRank: Rank, centerRank: Rank): boolean {
  const [centerA, centerB] = [a.place.inventory.dataCenterId, b.place.inventory.dataCenterId];
  const order =
    Number(a.gpus.virtual) - Number(b.gpus.virtual) ||
    typeRank(a.gpus.typeId) - typeRank(b.gpus.typeId) ||
    centerRank(centerA ?? "") - centerRank(centerB ?? "") ||
    a.gpus.indices.length - b.gpus.indices.length;
  return order === 0 ? a.place.machine < b.place.machine : order < 0;
}

function withoutGpus(wish: PlacementWish, places: readonly Place[]): Placed | null {
  let best: Place | null = null;
  for (const place of places) {
    if (unfit(wish, place) !== null || lack(wish, place) !== null) continue;
    if (!best || emptier(place, best)) best = place;
  }
  const nothing = { gpuTypeId: null, gpuIndices: [], virtual: false, evicts: [] };
  return best && { machine: best.machine, ...nothing };
}

/** Machines without GPUs first, so that those with some keep their CPUs for them. */
function emptier(a: Place, b: Place): boolean {
  const real = ({ free }: Place) => free.gpus.filter(({ virtual }) => !virtual).length;
  const order = real(a) - real(b) || b.free.vcpus - a.free.vcpus;
  return order === 0 ? a.machine < b.machine : order < 0;
}

/** What there is too little of, or null. */
export function lack({ compute, diskGb }: PlacementWish, { free }: Place): string | null {
  if (free.vcpus < compute.vcpus) return few(free.vcpus, compute.vcpus, "vCPUs");
  if (free.memoryMb < compute.memoryMb) {
    return few(Math.floor(free.memoryMb / 1_024), compute.memoryMb / 1_024, "GB of memory");
  }
  return free.diskGb < diskGb ? few(free.diskGb, diskGb, "GB of disk") : null;
}

function few(there: number, asked: number, what: string): string {
  return `${Math.max(0, there)} ${what} are free and ${asked} are asked for`;
}

function passOver(wish: PlacementWish, place: Place): PassedOver {
  const { machine } = place;
  return { machine, reason: unfit(wish, place) ?? gpuLack(wish, place) ?? lack(wish, place)! };
}

function gpuLack({ compute }: PlacementWish, { free }: Place): string | null {
  if (compute.kind === "CPU" || compute.count === 0) return null;
  const kinds = free.gpus.filter(({ typeId }) => asked(compute, typeId));
  if (kinds.length === 0) return "it has no GPU of a type that is asked for";
  const most = kinds.reduce((a, b) => (b.indices.length > a.indices.length ? b : a));
  if (most.indices.length >= compute.count) return null;
  return few(most.indices.length, compute.count, `GPUs of the type ${most.typeId}`);
}
