// What programs in a simulated Pod say about it, from its workload. Pure.

import type { Usage, Workload } from "../../driver.ts";
import type { GpuFacts, MountedFolder, PodFacts } from "./messages.ts";

const MB = 1_048_576;
/** What a workload without limits has. */
const USUAL = { vcpu: 2, memoryMb: 4_096, diskGb: 10 };

export interface PodFactsInput {
  workload: Workload;
  startedAt: number;
  at: number;
  usage: Usage | null;
  /** The memory of a GPU type; null if it is not in the catalog. */
  gpuMemoryGb: (gpuTypeId: string) => number | null;
  volumes: MountedFolder[];
}

export function podFactsOf(input: PodFactsInput): PodFacts {
  const { workload, startedAt, at, volumes } = input;
  const { id, env, entrypoint, command, resources } = workload;
  const { vcpu, memoryMb, diskGb } = { ...USUAL, ...resources };
  return {
    ...{ id, env, startedAt, at, volumes },
    command: [...entrypoint, ...command],
    vcpus: vcpu,
    memoryBytes: memoryMb * MB,
    diskBytes: diskGb * 1_024 * MB,
    gpus: gpusOf(input),
  };
}

function gpusOf({ workload, usage, gpuMemoryGb }: PodFactsInput): GpuFacts[] {
  const { gpuTypeId: name, indices } = workload.resources?.simulatedGpus ?? { indices: [] };
  if (name === undefined) return [];
  const memoryMb = (gpuMemoryGb(name) ?? 0) * 1_024;
  return indices.map((_, index) => {
    const use = usage?.gpus?.[index];
    return {
      ...{ name, index, memoryMb },
      usedMb: Math.round((memoryMb * (use?.memoryUtilPercent ?? 0)) / 100),
      utilPercent: Math.round(use?.gpuUtilPercent ?? 0),
    };
  });
}
