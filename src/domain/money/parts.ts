// What a cost is for: GPUs, CPUs, disks, or network storage of a class. Pure.

import type { VolumeType } from "../network-volume/network-volume.ts";

/** Micro-dollars. The parts of a cost add up to it. */
export interface CostParts {
  gpu: number;
  cpu: number;
  disk: number;
  standard: number;
  highPerformance: number;
}

export interface SplitCost {
  micros: number;
  /** The part of `micros` that is for disks. */
  diskMicros: number;
  /** Empty for a resource without GPUs. */
  gpuTypeId: string;
  /** Empty for anything that is no network volume. */
  volumeType: VolumeType | "";
}

export const noCost: CostParts = { gpu: 0, cpu: 0, disk: 0, standard: 0, highPerformance: 0 };

export function costParts({ micros, diskMicros, gpuTypeId, volumeType }: SplitCost): CostParts {
  if (volumeType === "STANDARD") return { ...noCost, standard: micros };
  if (volumeType === "HIGH_PERFORMANCE") return { ...noCost, highPerformance: micros };
  const compute = micros - diskMicros;
  const part = gpuTypeId === "" ? "cpu" : "gpu";
  return { ...noCost, disk: diskMicros, [part]: compute };
}

export function addParts(a: CostParts, b: CostParts): CostParts {
  return {
    gpu: a.gpu + b.gpu,
    cpu: a.cpu + b.cpu,
    disk: a.disk + b.disk,
    standard: a.standard + b.standard,
    highPerformance: a.highPerformance + b.highPerformance,
  };
}
