// What a workload uses, from two looks at what it has used since it started. Pure.

/** Counters as they were seen at one instant; null where nobody counts. */
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
}

export interface Sample {
  at: number;
  /** Of the CPUs it may use; null with the first look. */
  cpuPercent: number | null;
  memoryBytes: number;
  memoryLimitBytes: number | null;
  memoryPercent: number | null;
  receivedBytes: number | null;
  sentBytes: number | null;
  /** Of its own file system, and of all its volumes; null where they were not measured. */
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

/** A container that was started anew counts from nothing. */
function cpuPercent(cpuMs: number, at: number, before: Counters, vcpus: number): number {
  const used = cpuMs >= before.cpuMs ? cpuMs - before.cpuMs : cpuMs;
  return rounded((100 * used) / (Math.max(1, at - before.at) * vcpus));
}

const rounded = (percent: number) => Math.round(percent * 10) / 10;
