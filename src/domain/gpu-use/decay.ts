// The use of GPUs over time: each GPU-second counts half as much after every half-life. Pure.

import { DAY_MS } from "../../base/units.ts";

/** The default of Slurm: PriorityDecayHalfLife is 7 days. */
export const DEFAULT_HALF_LIFE_MS = 7 * DAY_MS;

/** A number of whole GPUs, or parts of them, from one instant to another. */
export interface GpuInterval {
  gpus: number;
  from: number;
  to: number;
}

/** After the clock was set back, what is yet to come counts as it is. */
const decayed = (gpuMs: number, ageMs: number, halfLifeMs: number): number =>
  gpuMs * 2 ** (-Math.max(0, ageMs) / halfLifeMs);

/** What the interval counts at an instant that is not before its end, in GPU-milliseconds. */
export function useOf({ gpus, from, to }: GpuInterval, at: number, halfLifeMs: number): number {
  if (to <= from) return 0;
  const whole = (gpus * halfLifeMs) / Math.LN2;
  return decayed(whole, at - to, halfLifeMs) - decayed(whole, at - from, halfLifeMs);
}

/** What is counted up to an instant, as one number for each group. */
export interface FoldedUse {
  at: number;
  gpuMs: ReadonlyMap<string, number>;
}

export interface GroupInterval extends GpuInterval {
  group: string;
}

/** Below this a use is forgotten. */
const LEAST_GPU_MS = 1_000;

/** All that is counted at an instant: what was folded before, and the intervals since then. */
export function useAt(
  folded: FoldedUse,
  intervals: readonly GroupInterval[],
  at: number,
  halfLifeMs: number,
): Map<string, number> {
  const use = new Map(
    [...folded.gpuMs].map(([group, gpuMs]) => [group, decayed(gpuMs, at - folded.at, halfLifeMs)]),
  );
  for (const { group, gpus, from, to } of intervals) {
    const since = { gpus, from: Math.max(from, folded.at), to: Math.min(to, at) };
    use.set(group, (use.get(group) ?? 0) + useOf(since, at, halfLifeMs));
  }
  return new Map([...use].filter(([, gpuMs]) => gpuMs >= LEAST_GPU_MS));
}
