// The placement decision: a machine that fits a Pod, and its GPUs. Pure. The reasons against machines
// are computed only if none fits, because they cost more than the decision.

import { MB_PER_GB } from "../../base/units.ts";
import type { PassedOver } from "../fault.ts";
import { gpuFaultText, isRecorded } from "../gpu/gpu-health.ts";
import { onDifferentGpus } from "../gpu-share/gpu-share.ts";
import { parseShareType } from "../gpu-share/share-name.ts";
import type { Inventory } from "../machine/inventory.ts";
import { missingModels } from "../model/presence.ts";
import { driverOn } from "./driver-on.ts";
import { unfit } from "./filters.ts";
import type { FreeGpus, Place } from "./place.ts";
import { acceptsType, type GpuRequest, type PlacementRequest } from "./request.ts";

export interface Placed {
  machine: string;
  /** The machine's driver that runs it. */
  driver: string;
  /** Null for a placement without GPUs. */
  gpuTypeId: string | null;
  gpuIndices: number[];
  /** True for simulated GPUs; their CPUs, memory and disk are virtual too. */
  virtual: boolean;
  /** Spot Pods that are evicted for it. */
  evicts: string[];
}

export type Placement = { placed: Placed } | { passedOver: PassedOver[] };

export function decidePlacement(request: PlacementRequest, places: readonly Place[]): Placement {
  const placed =
    request.compute.kind === "GPU" && request.compute.count > 0
      ? onGpus(request, request.compute, places)
      : withoutGpus(request, places);
  if (placed) return { placed };
  return { passedOver: places.map((place) => passOver(request, place)) };
}

interface Candidate {
  place: Place;
  gpus: FreeGpus;
}

function onGpus(
  request: PlacementRequest,
  gpu: GpuRequest,
  places: readonly Place[],
): Placed | null {
  const candidates: Candidate[] = [];
  const stockOfType = new Map<string, number>();
  const stockOfCenter = new Map<string, number>();
  for (const place of places) {
    if (unfit(request, place) !== null) continue;
    for (const gpus of place.free.gpus) {
      if (!acceptsType(gpu, gpus.typeId) || atOnce(gpus) < gpu.count) continue;
      if (!gpus.virtual && lack(diskOn(request, place), place) !== null) continue;
      candidates.push({ place, gpus });
      add(stockOfType, gpus.typeId, gpus.indices.length);
      add(stockOfCenter, place.inventory.dataCenterId ?? "", gpus.indices.length);
    }
  }
  const typeRank = rank(gpu.byStock ? [] : gpu.typeIds, stockOfType);
  const centerRank = rank(request.dataCentersByStock ? [] : request.dataCenterIds, stockOfCenter);
  let best: Candidate | null = null;
  for (const candidate of candidates) {
    const ranks = { typeRank, centerRank, models: request.models ?? [] };
    if (!best || before(candidate, best, gpu.count, ranks)) best = candidate;
  }
  return (
    best && {
      ...whereOn(best.place, request),
      gpuTypeId: best.gpus.typeId,
      gpuIndices: onDifferentGpus(best.gpus.indices).slice(0, gpu.count),
      virtual: best.gpus.virtual,
      evicts: [],
    }
  );
}

/** How many of these one workload can have. */
export const atOnce = ({ indices }: Pick<FreeGpus, "indices">): number =>
  onDifferentGpus(indices).length;

const add = (counts: Map<string, number>, key: string, n: number) =>
  counts.set(key, (counts.get(key) ?? 0) + n);

type Rank = (key: string) => number;

/** The position in the list; for an empty list, the type with more stock first. Lower goes first. */
function rank(order: readonly string[], stock: ReadonlyMap<string, number>): Rank {
  if (order.length === 0) return (key) => -(stock.get(key) ?? 0);
  return (key) => (order.includes(key) ? order.indexOf(key) : order.length);
}

interface Ranks {
  typeRank: Rank;
  centerRank: Rank;
  models: readonly string[];
}

/**
 * Real GPUs before virtual ones; then machines that have the models; then GPUs that need not wait for a container to end; then the smallest
 * remainder, so that large groups stay free.
 */
function before(
  a: Candidate,
  b: Candidate,
  count: number,
  { typeRank, centerRank, models }: Ranks,
): boolean {
  const [centerA, centerB] = [a.place.inventory.dataCenterId, b.place.inventory.dataCenterId];
  const order =
    Number(a.gpus.virtual) - Number(b.gpus.virtual) ||
    typeRank(a.gpus.typeId) - typeRank(b.gpus.typeId) ||
    centerRank(centerA ?? "") - centerRank(centerB ?? "") ||
    missingModels(models, a.place.inventory) - missingModels(models, b.place.inventory) ||
    Number(a.gpus.idle < count) - Number(b.gpus.idle < count) ||
    a.gpus.indices.length - b.gpus.indices.length;
  return order === 0 ? a.place.machine < b.place.machine : order < 0;
}

function withoutGpus(request: PlacementRequest, places: readonly Place[]): Placed | null {
  let best: Place | null = null;
  for (const place of places) {
    if (unfit(request, place) !== null || lack(diskOn(request, place), place) !== null) continue;
    if (!best || emptier(place, best, request.models)) best = place;
  }
  const nothing = { gpuTypeId: null, gpuIndices: [], virtual: false, evicts: [] };
  return best && { ...whereOn(best, request), ...nothing };
}

/** The filters have excluded machines without a driver for it. */
export const whereOn = ({ machine, drivers }: Place, { driver }: PlacementRequest) => {
  return { machine, driver: driverOn(drivers, driver) ?? driver };
};

/**
 * Machines that have the models first; then those without GPUs, so that GPU machines keep their CPUs for
 * GPU Pods.
 */
function emptier(a: Place, b: Place, models: readonly string[] = []): boolean {
  const real = ({ free }: Place) => free.gpus.filter(({ virtual }) => !virtual).length;
  const missing = ({ inventory }: Place) => missingModels(models, inventory);
  const order = missing(a) - missing(b) || real(a) - real(b) || b.free.vcpus - a.free.vcpus;
  return order === 0 ? a.machine < b.machine : order < 0;
}

/** What a workload takes besides its GPUs. */
interface Needs {
  compute: { vcpus: number; memoryMb: number };
  /** What one container of several needs; absent for a single one. */
  vcpusOfEach?: number;
  diskGb: number;
}

/** A new network volume of a whole cluster is not on the node. */
function diskOn(request: PlacementRequest, { inventory: { node } }: Place): Needs {
  const { compute, diskGb, newVolumeGb = 0 } = request;
  return node?.networkVolumes === "shared" ? { compute, diskGb: diskGb - newVolumeGb } : request;
}

/** The resource that is short, as a sentence, or null. */
export function lack(
  needs: Needs,
  { free, inventory }: Pick<Place, "free" | "inventory">,
): string | null {
  const { compute, vcpusOfEach = compute.vcpus, diskGb } = needs;
  if (free.vcpus < compute.vcpus) return few(free.vcpus, compute.vcpus, "vCPUs");
  if (exceedsCpus(vcpusOfEach, inventory)) {
    return `it has ${inventory.vcpus} vCPUs and ${vcpusOfEach} are asked for`;
  }
  if (free.memoryMb < compute.memoryMb) {
    return few(Math.floor(free.memoryMb / MB_PER_GB), compute.memoryMb / MB_PER_GB, "GB of memory");
  }
  return free.diskGb < diskGb ? few(free.diskGb, diskGb, "GB of disk") : null;
}

/** Whether one container would need more CPUs than there are; over-committed ones are shared by several. */
export const exceedsCpus = (vcpus: number, inventory: Pick<Inventory, "vcpus">) =>
  vcpus > inventory.vcpus;

/** Waiting does not help where the machine has fewer in all. */
function few(available: number, required: number, what: string, inAll = required): string {
  if (inAll < required) {
    const things = inAll === 1 ? what.replace("GPUs", "GPU") : what;
    return `it has only ${inAll} ${things}, and ${required} are asked for`;
  }
  return `${Math.max(0, available)} ${what} are free and ${required} are asked for`;
}

function passOver(request: PlacementRequest, place: Place): PassedOver {
  const { machine } = place;
  const gpus = gpusFor(request, place);
  const misfit = unfit(request, place);
  const gpuReason = misfit === null && gpus ? gpuLack(gpus, place) : null;
  const largest = gpuReason === null ? undefined : largestOf(gpus?.kinds ?? []);
  const texts = largest ? withheldTexts(largest) : [];
  return {
    machine,
    reason: misfit ?? gpuReason ?? lack(diskOn(request, place), place)!,
    ...(texts.length > 0 && { withheldTexts: texts }),
  };
}

interface Wanted {
  compute: GpuRequest;
  /** The GPUs of the machine that it accepts. */
  kinds: readonly FreeGpus[];
}

function gpusFor({ compute }: PlacementRequest, { free }: Place): Wanted | null {
  if (compute.kind === "CPU" || compute.count === 0) return null;
  return { compute, kinds: free.gpus.filter(({ typeId }) => acceptsType(compute, typeId)) };
}

const largestOf = (kinds: readonly FreeGpus[]) =>
  kinds.length === 0 ? undefined : kinds.reduce((a, b) => (atOnce(b) > atOnce(a) ? b : a));

function gpuLack(
  { compute, kinds }: Wanted,
  { free, inventory: { gpuTrouble, gpuFaults = [] } }: Place,
): string | null {
  const recorded = gpuFaults.filter(isRecorded).map(gpuFaultText);
  const troubles = [...(gpuTrouble ? [gpuTrouble] : []), ...recorded].join("; ");
  const trouble = troubles ? `, and not all of its GPUs can be used: ${troubles}` : "";
  const unpriced = unpricedAmong(compute, free.gpus);
  const largest = largestOf(kinds);
  if (!largest) return (unpriced || "it has no GPU of a type that is asked for") + trouble;
  if (atOnce(largest) >= compute.count) return null;
  const what = `GPUs of the type ${largest.typeId}`;
  const texts = withheldTexts(largest).map((text) => `; ${text}`);
  const lacking =
    few(atOnce(largest), compute.count, what, largest.offered) + texts.join("") + trouble;
  return unpriced ? `${lacking}; ${unpriced}` : lacking;
}

const withheldTexts = ({ reserved, guaranteed }: FreeGpus): string[] =>
  [reserved, guaranteed].filter((text) => text !== undefined);

/** The GPUs that would be accepted if they had a price, as a sentence; empty if there are none. */
function unpricedAmong({ typeIds, offered }: GpuRequest, gpus: readonly FreeGpus[]): string {
  const isAsked = (id: string) => typeIds.length > 0 || parseShareType(id) === null;
  const accepted = gpus
    .map(({ typeId }) => typeId)
    .filter((id) => acceptsType({ typeIds }, id) && isAsked(id));
  const unpriced = new Set(accepted.filter((id) => !acceptsType({ typeIds, offered }, id)));
  return unpriced.size > 0
    ? `its GPUs ${[...unpriced].join(", ")} have no price in the catalog`
    : "";
}
