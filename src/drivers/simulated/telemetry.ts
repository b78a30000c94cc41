// What a simulated workload seems to use: numbers that move within its limits, depend on nothing but its id and
// the time, and are therefore the same in every run under a virtual clock. Pure.

import type { GpuUse } from "../../domain/usage/sample.ts";

export interface WorkloadSize {
  vcpus: number;
  memoryBytes: number;
  diskBytes: number;
  gpuIndices: readonly number[];
}

interface Load {
  cpuMs: number;
  memoryBytes: number;
  diskBytes: number;
  gpus: GpuUse[];
}

/** A wave around `mean` with this amplitude, both as shares of one. */
interface Wave {
  mean: number;
  amplitude: number;
  periodMs: number;
  phase: number;
}

const TURN = 2 * Math.PI;
/** How long memory takes to fill after a start. */
const WARM_UP_MS = 60_000;
const DISK_SHARE = 0.04;

export function loadOf(id: string, size: WorkloadSize, uptimeMs: number): Load {
  const seed = seedOf(id);
  const cpu = { mean: 0.3, amplitude: 0.2, periodMs: 90_000 + (seed % 60_000), phase: seed % TURN };
  const warm = 1 - Math.exp((-3 * uptimeMs) / WARM_UP_MS);
  const memory = valueAt({ ...cpu, mean: 0.4, amplitude: 0.05 }, uptimeMs);
  return {
    cpuMs: integral(cpu, uptimeMs) * size.vcpus,
    memoryBytes: Math.round(size.memoryBytes * memory * (0.2 + 0.8 * warm)),
    diskBytes: Math.round(size.diskBytes * DISK_SHARE * (0.5 + 0.5 * warm)),
    gpus: size.gpuIndices.map((index) => {
      const phase = (seed + index) % TURN;
      const busy = valueAt({ ...cpu, mean: 0.6, amplitude: 0.3, phase }, uptimeMs);
      const filled = valueAt({ ...cpu, mean: 0.55, amplitude: 0.05, phase }, uptimeMs) * warm;
      return { index, gpuUtilPercent: percent(busy), memoryUtilPercent: percent(filled) };
    }),
  };
}

/** A load that a behavior sets. */
export const gpusAt = (gpuUtilPercent: number, { gpuIndices }: WorkloadSize): GpuUse[] =>
  gpuIndices.map((index) => ({ index, gpuUtilPercent, memoryUtilPercent: 0 }));

const percent = (share: number) => Math.round(share * 1_000) / 10;

function valueAt({ mean, amplitude, periodMs, phase }: Wave, atMs: number): number {
  return mean + amplitude * Math.sin((TURN * atMs) / periodMs + phase);
}

/** The area under the wave since 0, so that a counter of CPU time has the wave as its rate. */
function integral({ mean, amplitude, periodMs, phase }: Wave, atMs: number): number {
  const swing = Math.cos(phase) - Math.cos((TURN * atMs) / periodMs + phase);
  return Math.max(0, mean * atMs + (amplitude * swing * periodMs) / TURN);
}

/** FNV-1a. */
function seedOf(id: string): number {
  let hash = 0x811c9dc5;
  for (const char of id) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
  return hash;
}
