// The resource limits of a worker. Pure.

import type { Inventory } from "../machine/inventory.ts";
import { PER_GPU } from "./placement-request.ts";
import type { Worker } from "./worker.ts";

export interface Share {
  /** Null for a worker without GPUs. */
  gpuTypeId: string | null;
  vcpus: number;
  memoryMb: number;
  diskGb: number;
}

export interface WorkerLimits {
  vcpu?: number;
  memoryMb?: number;
  diskGb?: number;
}

/**
 * The CPUs and the memory that a worker comes with. A worker on simulated GPUs comes with the same,
 * but occupies none of its machine's; a worker that reserves nothing shares the whole machine.
 */
export function workerSize(
  { vcpus, memoryMb, gpus }: Pick<Worker, "vcpus" | "memoryMb" | "gpus">,
  machine: Pick<Inventory, "vcpus" | "memoryMb"> | undefined,
): { vcpus: number; memoryMb: number } {
  if (vcpus > 0) return { vcpus, memoryMb };
  const count = gpus.length;
  if (count > 0) return { vcpus: count * PER_GPU.vcpus, memoryMb: count * PER_GPU.memoryMb };
  return { vcpus: machine?.vcpus ?? 0, memoryMb: machine?.memoryMb ?? 0 };
}

/**
 * A CPU worker is limited to its flavor. The vCPUs and memory per GPU are a minimum and not a
 * limit, because models are loaded through the machine's memory. Virtual resources may exceed the
 * machine's.
 */
export function limitsOf(
  { gpuTypeId, vcpus, memoryMb, diskGb }: Share,
  machine: Pick<Inventory, "vcpus" | "memoryMb">,
): WorkerLimits {
  const onCpus = gpuTypeId === null && vcpus > 0;
  return {
    ...(onCpus && {
      vcpu: Math.min(vcpus, machine.vcpus),
      memoryMb: Math.min(memoryMb, machine.memoryMb),
    }),
    ...(diskGb > 0 && { diskGb }),
  };
}
