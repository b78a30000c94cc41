// The usage of a workload, from two readings of its counters. Pure.

/** Counters read at one instant; null for a counter that does not exist. */
export interface Counters {
  at: number;
  /** CPU time since its start, in milliseconds of one CPU. */
  cpuMs: number;
  memoryBytes: number;
  memoryLimitBytes: number | null;
  receivedBytes: number | null;
  sentBytes: number | null;
}

export interface GpuUse {
  index: number;
  gpuUtilPercent: number;
  memoryUtilPercent: number;
  /** The clock of its processors; null or absent if not measured. */
  clockMhz?: number | null;
  /** True if other workloads use the GPU too, and their load is in it. */
  shared?: true;
}

export interface Sample {
  at: number;
  /** The share of its CPUs; null for the first sample. */
  cpuPercent: number | null;
  memoryBytes: number;
  memoryLimitBytes: number | null;
  memoryPercent: number | null;
  receivedBytes: number | null;
  sentBytes: number | null;
  /** The size of its container disk, and of all its volumes; null if not measured. */
  diskBytes: number | null;
  volumeBytes: number | null;
  gpus: GpuUse[];
}

export function sampleOf(
  now: Counters,
  before: Counters | null,
  vcpus: number,
  more: Pick<Sample, "diskBytes" | "volumeBytes" | "gpus">,
): Sample {
  const { at, cpuMs, memoryBytes, memoryLimitBytes, receivedBytes, sentBytes } = now;
  return {
    at,
    cpuPercent: before === null ? null : cpuPercent(cpuMs, at, before, vcpus),
    memoryBytes,
    memoryLimitBytes,
    memoryPercent: memoryLimitBytes ? rounded((100 * memoryBytes) / memoryLimitBytes) : null,
    receivedBytes,
    sentBytes,
    ...more,
  };
}

/** The counters of a new container start at zero. */
function cpuPercent(cpuMs: number, at: number, before: Counters, vcpus: number): number {
  const used = cpuMs >= before.cpuMs ? cpuMs - before.cpuMs : cpuMs;
  return rounded((100 * used) / (Math.max(1, at - before.at) * vcpus));
}

const rounded = (percent: number) => Math.round(percent * 10) / 10;
