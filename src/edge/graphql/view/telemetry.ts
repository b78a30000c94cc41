// The latest measurement of a Pod or a worker in the form that GraphQL clients read.

import type { PodRuntime } from "../../../flows/pod/runtime.ts";

interface State {
  /** The observed state. */
  state: string;
  changedAt: number;
}

/** Null for a workload that does not run. */
export function telemetryOf(runtime: PodRuntime | null, { state, changedAt }: State, now: number) {
  if (!runtime) return null;
  const individual = runtime.gpus.map(({ id, gpuUtilPercent, memoryUtilPercent }) => ({
    id,
    percentUtilization: gpuUtilPercent,
    memoryUtilization: memoryUtilPercent,
  }));
  const mean = (values: number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
  return {
    state: state.toUpperCase(),
    time: new Date(runtime.measuredAt ?? now).toISOString(),
    cpuUtilization: runtime.container.cpuPercent,
    memoryUtilization: runtime.container.memoryPercent,
    individualGpuMetrics: individual,
    averageGpuMetrics:
      individual.length === 0
        ? null
        : {
            percentUtilization: mean(individual.map((each) => each.percentUtilization)),
            memoryUtilization: mean(individual.map((each) => each.memoryUtilization)),
          },
    lastStateTransitionTimestamp: Math.floor(changedAt / 1_000),
  };
}
