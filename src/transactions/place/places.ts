// The free resources of machines.

import type { Leaving } from "../../domain/machine/inventory.ts";
import { closedFor } from "../../domain/machine/upkeep.ts";
import { type Place, placeOf, type Taken } from "../../domain/placement/place.ts";
import { type Tx, together } from "../../store/engine/statement.ts";
import { heldGpus } from "../../store/held-gpu/held-gpu.ts";
import { volumeUse } from "../../store/network-volume/network-volume.ts";
import { endingGpus, podUse } from "../../store/pod/resources.ts";
import { lockMachine, type MachineOffer, machineOffers } from "../../store/replica/offers.ts";
import { type Use, workerUse } from "../../store/worker/resources.ts";
import { workloadsWithPlace } from "./with-place.ts";

/** Selects the machines to consider. */
export interface Search {
  /** Machines that reported since this instant. */
  since: number;
  /** Only this machine; null for all. */
  machine: string | null;
  /** The Pod whose own disk, and whose container that is still ending, do not count against it. */
  except: string | null;
  /** Only these machines; null or absent for all. */
  among?: ReadonlySet<string> | null;
  /** Machines in maintenance at this instant are closed; if absent, maintenance is ignored. */
  at?: number;
  /** GPU types that are left out, as if no machine had them. */
  exceptGpuTypes?: readonly string[];
  /** Places that are left out: machines, or GPU types of machines as "machine type". */
  exceptPlaces?: ReadonlySet<string>;
}

export function* placesOf(search: Search): Tx<Place[]> {
  const { since, machine, except, among = null, at, exceptGpuTypes = [] } = search;
  const { exceptPlaces = new Set() } = search;
  const [offers, pods, workers, volumes, gpus, ending] = (yield* together<unknown>([
    machineOffers(machine, since),
    podUse(machine, except),
    workerUse(machine),
    volumeUse(machine),
    heldGpus(machine),
    endingGpus(machine),
  ])) as [MachineOffer[], Use[], Use[], Use[], MachineGpu[], MachineGpu[]];
  const considered = offers.filter(
    ({ machine: each }) => (among === null || among.has(each)) && !exceptPlaces.has(each),
  );
  const leaving = yield* leavingUse(considered, except);
  const used = takenByMachine([...pods, ...workers, ...volumes, ...leaving]);
  const gpusOf = gpusByMachine(gpus);
  const endingOf = gpusByMachine(ending);
  return considered.map((offer) => {
    const taken = {
      ...(used.get(offer.machine) ?? nothingTaken),
      gpus: gpusOf(offer.machine),
      endingGpus: endingOf(offer.machine),
      leavingGpus: sumOf(leaving, offer.machine),
    };
    const place = placeOf(offer.machine, offer.drivers, offer.inventory, taken);
    const closed = closedFor(offer.upkeep, at ?? Number.NEGATIVE_INFINITY);
    const open = { ...place, closed: closed ?? offer.inventory.closed ?? null };
    const left = open.free.gpus.filter(
      ({ typeId }) => !exceptPlaces.has(`${place.machine} ${typeId}`),
    );
    return withoutGpuTypes({ ...open, free: { ...open.free, gpus: left } }, exceptGpuTypes);
  });
}

export function withoutGpuTypes(place: Place, typeIds: readonly string[]): Place {
  const gpus = place.free.gpus.filter(({ typeId }) => !typeIds.includes(typeId));
  return { ...place, free: { ...place.free, gpus } };
}

/** What containers without a place take of clusters' nodes. A workload that has its place again takes it once. */
function* leavingUse(
  offers: readonly MachineOffer[],
  except: string | null,
): Tx<(Leaving & { machine: string })[]> {
  const all = offers.flatMap(({ machine, inventory }) =>
    Object.entries(inventory.node?.leaving ?? {}).map(([id, use]) => ({ machine, id, use })),
  );
  const placed = yield* workloadsWithPlace(all.map(({ id }) => id));
  return all
    .filter(({ id }) => id !== except && !placed.has(id))
    .map(({ machine, use }) => ({ machine, ...use }));
}

const sumOf = (leaving: readonly (Leaving & { machine: string })[], machine: string) =>
  leaving.reduce((sum, each) => sum + (each.machine === machine ? each.gpus : 0), 0);

/** Machines that reported since an instant, as if no workload were on them. */
export function* emptyPlaces(since: number, at: number): Tx<Place[]> {
  const nothing = { ...nothingTaken, gpus: new Set<number>() };
  const offers = yield* machineOffers(null, since);
  return offers.map(({ machine, drivers, inventory, upkeep }) => {
    const closed = closedFor(upkeep, at) ?? inventory.closed ?? null;
    return { ...placeOf(machine, drivers, inventory, nothing), closed };
  });
}

/** The free GB of a machine, which must be locked; null if it is not available. */
export function* lockFreeDisk(search: Search & { machine: string }): Tx<number | null> {
  yield* lockMachine(search.machine);
  const [place] = yield* placesOf(search);
  return place ? place.free.diskGb : null;
}

interface MachineGpu {
  machine: string;
  gpu: number;
}

function gpusByMachine(all: readonly MachineGpu[]): (machine: string) => ReadonlySet<number> {
  const groups = Map.groupBy(all, ({ machine }) => machine);
  return (machine) => new Set(groups.get(machine)?.map(({ gpu }) => gpu));
}

const nothingTaken: Omit<Taken, "gpus" | "endingGpus"> = { vcpus: 0, memoryMb: 0, diskGb: 0 };

function takenByMachine(uses: readonly Use[]): Map<string, Omit<Taken, "gpus" | "endingGpus">> {
  const taken = new Map<string, Omit<Taken, "gpus" | "endingGpus">>();
  for (const { machine, vcpus, memoryMb, diskGb } of uses) {
    const sum = taken.get(machine) ?? nothingTaken;
    taken.set(machine, {
      vcpus: sum.vcpus + vcpus,
      memoryMb: sum.memoryMb + memoryMb,
      diskGb: sum.diskGb + diskGb,
    });
  }
  return taken;
}
