// The GPUs that workloads were started with, whether or not they still hold them.

import type { GpuUser } from "../../domain/pod/diff.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { podsStartedWithGpus } from "../../store/pod/resources.ts";
import { workersWithGpus } from "../../store/worker/resources.ts";

/** The workloads among these that were started with GPUs of the machine. */
export function* startedWithGpus(machine: string, ids: ReadonlySet<string>): Tx<GpuUser[]> {
  if (ids.size === 0) return [];
  const pods = (yield* podsStartedWithGpus(machine)).filter(({ id }) => ids.has(id));
  return [...pods, ...(yield* workersWithGpus(machine, [...ids]))];
}
