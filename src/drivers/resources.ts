// The limits of a workload, and the GPUs that it gets.

import type { GpuNode } from "../domain/machine/gpu-nodes.ts";

/** Resource limits; an omitted one is not limited. */
export interface Resources {
  vcpu?: number;
  memoryMb?: number;
  /** The machine's GPUs that it gets, by the numbers of placement; omitted or empty for none. */
  gpuIndices?: number[];
  /** The UUIDs of the same GPUs; omitted where the machine does not tell them. */
  gpuUuids?: string[];
  /** The device nodes of the same GPUs, if containers get them by nodes; omitted for others. */
  gpuNodes?: GpuNode[];
  /** The limits that NVIDIA's MPS sets for the programs on each of its GPUs; omitted for none. */
  mpsLimits?: MpsLimits;
  /** GPUs that exist only in a simulation. */
  simulatedGpus?: SimulatedGpus;
  /** The container disk, which does not outlive a stop; enforced if the engine can. */
  diskGb?: number;
}

interface MpsLimits {
  memoryInGb: number;
  computePercent: number;
}

interface SimulatedGpus {
  gpuTypeId: string;
  indices: number[];
}
