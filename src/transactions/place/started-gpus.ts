// The GPUs that workloads were started with, whether or not they still hold them.

import type { GpuUser } from "../../domain/pod/diff.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { podsStartedWithGpus } from "../../store/pod/resources.ts";
import { workersWithGpus } from "../../store/worker/resources.ts";

/** All workloads of a machine that were started with GPUs. */
export function* startedWithGpus(machine: string): Tx<GpuUser[]> {
  return [...(yield* podsStartedWithGpus(machine)), ...(yield* workersWithGpus(machine))];
}
