// The load of a machine over days: one summary for each interval, so that the history of a machine has a bounded size. Pure.

import { DAY_MS } from "../../../base/units.ts";
import type { GpuLoad, MachineLoad } from "./load.ts";

/** The interval that is stored. */
export const LOAD_INTERVAL_MS = 300_000;
export const LOAD_KEPT_MS = 7 * DAY_MS;

/** The ranges that clients read, apart from the samples of the last hour. */
export const LOAD_RANGES = {
  "24h": { lengthMs: DAY_MS, intervalMs: LOAD_INTERVAL_MS },
  "7d": { lengthMs: LOAD_KEPT_MS, intervalMs: 6 * LOAD_INTERVAL_MS },
} as const;

export type LoadRange = keyof typeof LOAD_RANGES;

/** Where the interval of an instant begins. */
export const intervalStart = (at: number, intervalMs: number): number =>
  Math.floor(at / intervalMs) * intervalMs;

/** The samples of longer intervals, oldest first. */
export function summarizeIntervals(
  samples: readonly MachineLoad[],
  intervalMs: number,
): MachineLoad[] {
  const groups = Map.groupBy(samples, ({ at }) => intervalStart(at, intervalMs));
  return [...groups].map(([at, group]) => summarizeLoad(at, group));
}

/** Averages, but the highest temperature of each GPU. A value that no sample has is null. */
export function summarizeLoad(at: number, samples: readonly MachineLoad[]): MachineLoad {
  const gpus = Map.groupBy(
    samples.flatMap((sample) => sample.gpus),
    ({ index }) => index,
  );
  return {
    at,
    cpuPercent: average(samples.map(({ cpuPercent }) => cpuPercent)),
    memoryUsedBytes: wholeAverage(samples.map(({ memoryUsedBytes }) => memoryUsedBytes)),
    memoryBytes: samples.findLast(({ memoryBytes }) => memoryBytes !== null)?.memoryBytes ?? null,
    gpus: [...gpus].sort(([a], [b]) => a - b).map(([index, loads]) => summarizeGpu(index, loads)),
  };
}

const summarizeGpu = (index: number, loads: readonly GpuLoad[]): GpuLoad => ({
  index,
  gpuUtilPercent: average(loads.map(({ gpuUtilPercent }) => gpuUtilPercent)) ?? 0,
  memoryUtilPercent: average(loads.map(({ memoryUtilPercent }) => memoryUtilPercent)) ?? 0,
  temperatureC: highest(loads.map(({ temperatureC }) => temperatureC)),
  powerWatts: average(loads.map(({ powerWatts }) => powerWatts)),
  clockMhz: wholeAverage(loads.map(({ clockMhz }) => clockMhz)),
});

type Value = number | null;

/** The average with one decimal. */
function average(values: readonly Value[]): Value {
  const mean = exactAverage(values);
  return mean === null ? null : Math.round(10 * mean) / 10;
}

function wholeAverage(values: readonly Value[]): Value {
  const mean = exactAverage(values);
  return mean === null ? null : Math.round(mean);
}

function exactAverage(values: readonly Value[]): Value {
  const numbers = values.filter((value) => value !== null);
  return numbers.length === 0 ? null : numbers.reduce((sum, each) => sum + each) / numbers.length;
}

function highest(values: readonly Value[]): Value {
  const numbers = values.filter((value) => value !== null);
  return numbers.length === 0 ? null : Math.max(...numbers);
}
