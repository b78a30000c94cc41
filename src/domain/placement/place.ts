// A machine as placement sees it: its inventory and its free resources.

import { faultyGpus } from "../gpu/gpu-health.ts";
import { byLoad, onDifferentGpus } from "../gpu-share/gpu-share.ts";
import { profileOfNumber } from "../machine/cluster-slices.ts";
import { type Inventory, placeableVcpus } from "../machine/inventory.ts";

export interface FreeGpus {
  typeId: string;
  virtual: boolean;
  /** The indices of the free GPUs; those that an ending container still uses come last. */
  indices: readonly number[];
  /** The number of free GPUs that no container uses. */
  idle: number;
  /** How many GPUs of the type one workload can have there, free or not. */
  offered: number;
  /** How many there are, free or not, where that is more: the shares of its GPUs. Absent otherwise. */
  total?: number;
  /** How many more than the free ones are reserved for others; absent for none. */
  owed?: number;
  /** What is reserved for others, as a sentence; absent for nothing. */
  reserved?: string;
  /** How many of those that are free on all machines one caller may take; absent for no bound. */
  left?: number;
  /** How many guarantees leave of all machines, those of spot Pods among them; absent for no bound. */
  limit?: number;
  /** What is guaranteed to others, as a sentence; absent for nothing. */
  guaranteed?: string;
}

export interface Place {
  machine: string;
  drivers: readonly string[];
  inventory: Omit<Inventory, "gpus">;
  /** Why no new workload is placed there; null if it is open. */
  closed: string | null;
  free: { vcpus: number; memoryMb: number; diskGb: number; gpus: readonly FreeGpus[] };
}

const countGpus = (
  places: readonly Place[],
  gpuTypeId: string,
  of: (gpus: FreeGpus) => number,
): number =>
  places
    .flatMap(({ free }) => free.gpus)
    .reduce((sum, gpus) => sum + (gpus.typeId === gpuTypeId ? of(gpus) : 0), 0);

/** How many GPUs of a type are free on all places. */
export const freeGpus = (places: readonly Place[], gpuTypeId: string): number =>
  countGpus(places, gpuTypeId, ({ indices }) => indices.length);

/** How many GPUs of a type all places have, free or not. */
export const offeredGpus = (places: readonly Place[], gpuTypeId: string): number =>
  countGpus(places, gpuTypeId, ({ offered, total = offered }) => total);

/** The resources that workloads on a machine hold. */
export interface Taken {
  /** A cluster counts parts of one. */
  vcpus: number;
  memoryMb: number;
  diskGb: number;
  gpus: ReadonlySet<number>;
  /** GPUs that containers use which are still ending; no workload needs to hold them. */
  endingGpus?: ReadonlySet<number>;
  /** The number of GPUs that a cluster counts for containers which have lost their place. */
  leavingGpus?: number;
}

export function placeOf(
  machine: string,
  drivers: readonly string[],
  { gpus, ...inventory }: Inventory,
  taken: Taken,
): Place {
  const faulty = faultyGpus(inventory);
  // A cluster's node tells how many GPUs others leave, not which, so that a taken one may be beyond them.
  const offered = new Set(gpus.flatMap(({ indices }) => indices));
  const beyond = inventory.node ? [...taken.gpus].filter((gpu) => !offered.has(gpu)) : [];
  const unnamedLike = (indices: readonly number[]) => {
    const isLike = (gpu: number) => profileOfNumber(gpu) === profileOfNumber(indices[0] ?? 0);
    return beyond.filter(isLike).length + (taken.leavingGpus ?? 0);
  };
  return {
    machine,
    drivers,
    inventory,
    closed: null,
    free: {
      vcpus: placeableVcpus(inventory) - Math.ceil(taken.vcpus),
      memoryMb: inventory.memoryMb - taken.memoryMb,
      diskGb: inventory.diskGb - taken.diskGb,
      gpus: gpus.map(({ gpuTypeId, virtual, indices }) => {
        const untaken = byLoad(
          indices.filter((index) => !taken.gpus.has(index) && !faulty.has(index)),
          taken.gpus,
        );
        const free = virtual
          ? untaken
          : untaken.slice(0, Math.max(0, untaken.length - unnamedLike(indices)));
        const ending = free.filter((index) => taken.endingGpus?.has(index));
        const idle = free.filter((index) => !ending.includes(index));
        const freeGpus = { indices: [...idle, ...ending], idle: idle.length };
        const different = onDifferentGpus(indices).length;
        return {
          typeId: gpuTypeId,
          virtual,
          offered: different,
          ...(different < indices.length && { total: indices.length }),
          ...freeGpus,
        };
      }),
    },
  };
}
