// A machine as placement sees it: what it is, and what nobody has taken of it.

import type { Inventory } from "../machine/inventory.ts";

export interface FreeGpus {
  typeId: string;
  virtual: boolean;
  /** Those that nobody has. */
  indices: readonly number[];
}

export interface Place {
  machine: string;
  drivers: readonly string[];
  inventory: Omit<Inventory, "gpus">;
  /** Why nothing new is placed there; null where it is. */
  closed: string | null;
  free: { vcpus: number; memoryMb: number; diskGb: number; gpus: readonly FreeGpus[] };
}

/** What Pods on a machine have. */
export interface Taken {
  vcpus: number;
  memoryMb: number;
  diskGb: number;
  gpus: ReadonlySet<number>;
}

export function placeOf(
  machine: string,
  drivers: readonly string[],
  { gpus, ...inventory }: Inventory,
  taken: Taken,
): Place {
  return {
    machine,
    drivers,
    inventory,
    closed: null,
    free: {
      vcpus: inventory.vcpus - taken.vcpus,
      memoryMb: inventory.memoryMb - taken.memoryMb,
      diskGb: inventory.diskGb - taken.diskGb,
      gpus: gpus.map(({ gpuTypeId, virtual, indices }) => {
        const free = indices.filter((index) => !taken.gpus.has(index));
        return { typeId: gpuTypeId, virtual, indices: free };
      }),
    },
  };
}
