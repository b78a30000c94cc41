// What a worker may use at most. Pure.

import type { Inventory } from "../machine/inventory.ts";

export interface Share {
  /** Null: it computes on CPUs, or on nothing that was asked for. */
  gpuTypeId: string | null;
  vcpus: number;
  memoryMb: number;
  diskGb: number;
}

export interface Limits {
  vcpu?: number;
  memoryMb?: number;
  diskGb?: number;
}

/**
 * On CPUs what its flavor comes with. What comes with a GPU is the least it needs and no limit: models
 * are loaded through the machine's memory. On paper there may be more than there is.
 */
export function limitsOf(
  { gpuTypeId, vcpus, memoryMb, diskGb }: Share,
  machine: Pick<Inventory, "vcpus" | "memoryMb">,
): Limits {
  const onCpus = gpuTypeId === null && vcpus > 0;
  return {
    ...(onCpus && {
      vcpu: Math.min(vcpus, machine.vcpus),
      memoryMb: Math.min(memoryMb, machine.memoryMb),
    }),
    ...(diskGb > 0 && { diskGb }),
  };
}
