// What programs in a simulated Pod say about it, from its workload. Pure.

import { GIB, MIB } from "../../../base/units.ts";
import type { Usage, Workload } from "../../driver.ts";
import { NO_GPUS, type SimulatedGpus } from "../gpu/simulated-gpus.ts";
import type { MountedFolder, SimulatedPodFacts } from "./messages.ts";

/** What a workload without limits has. */
const USUAL = { vcpu: 2, memoryMb: 4_096, diskGb: 10 };

/** Returns the GPUs of a workload. */
export type PodGpus = (workload: Workload, usage: Usage | null) => SimulatedGpus;

export interface PodFactsInput {
  workload: Workload;
  startedAt: number;
  at: number;
  usage: Usage | null;
  podGpus: PodGpus | undefined;
  volumes: MountedFolder[];
}

export function podFactsOf(input: PodFactsInput): SimulatedPodFacts {
  const { workload, startedAt, at, usage, volumes, podGpus } = input;
  const { id, env, entrypoint, command, resources } = workload;
  const { vcpu, memoryMb, diskGb } = { ...USUAL, ...resources };
  return {
    id,
    env,
    startedAt,
    at,
    volumes,
    gpus: podGpus?.(workload, usage) ?? NO_GPUS,
    command: [...entrypoint, ...command],
    vcpus: vcpu,
    memoryBytes: memoryMb * MIB,
    diskBytes: diskGb * GIB,
  };
}
