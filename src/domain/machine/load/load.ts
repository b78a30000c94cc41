// What a machine does: the load of its CPUs, memory and GPUs, from two readings of its counters. Pure.

import type { GpuUse } from "../../usage/sample.ts";

/** One reading of a machine; null for what it does not tell. */
export interface HostCounters {
  /** CPU time of all its CPUs since its start, in units of its own. */
  cpu: { busy: number; total: number } | null;
  memoryUsedBytes: number | null;
  memoryBytes: number | null;
}

/** A GPU with the readings of its sensors. */
export interface GpuLoad extends GpuUse {
  temperatureC: number | null;
  powerWatts: number | null;
  /** The clock of its processors. */
  clockMhz: number | null;
}

export interface MachineLoad {
  at: number;
  /** The share of its CPUs; null for the first reading. */
  cpuPercent: number | null;
  memoryUsedBytes: number | null;
  memoryBytes: number | null;
  gpus: GpuLoad[];
}

export function machineLoad(
  at: number,
  now: HostCounters | null,
  before: HostCounters | null,
  gpus: GpuLoad[],
): MachineLoad {
  const { memoryUsedBytes = null, memoryBytes = null } = now ?? {};
  return { at, cpuPercent: cpuPercent(now, before), memoryUsedBytes, memoryBytes, gpus };
}

/** Counters start at zero with the machine. */
function cpuPercent(now: HostCounters | null, before: HostCounters | null): number | null {
  if (!now?.cpu || !before?.cpu) return null;
  const total = now.cpu.total - before.cpu.total;
  const busy = now.cpu.busy - before.cpu.busy;
  if (total <= 0 || busy < 0) return null;
  return Math.min(100, Math.round((1_000 * busy) / total) / 10);
}
