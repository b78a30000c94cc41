import assert from "node:assert/strict";
import { test } from "node:test";
import type { GpuLoad, MachineLoad } from "./load.ts";
import {
  intervalStart,
  LOAD_INTERVAL_MS,
  summarizeIntervals,
  summarizeLoad,
} from "./load-history.ts";

const gpu = (index: number, gpuUtilPercent: number, temperatureC: number | null): GpuLoad => ({
  index,
  gpuUtilPercent,
  memoryUtilPercent: 50,
  temperatureC,
  powerWatts: null,
  clockMhz: null,
});

const sample = (at: number, load: Partial<MachineLoad> = {}): MachineLoad => ({
  at,
  cpuPercent: null,
  memoryUsedBytes: null,
  memoryBytes: null,
  gpus: [],
  ...load,
});

test("an interval has averages, and the highest temperature of each GPU", () => {
  const summary = summarizeLoad(0, [
    sample(0, { cpuPercent: null, memoryUsedBytes: 10, memoryBytes: 64, gpus: [gpu(0, 90, 60)] }),
    sample(1, { cpuPercent: 10, memoryUsedBytes: 11, memoryBytes: 64 }),
    sample(2, { cpuPercent: 20.5, memoryUsedBytes: 13, memoryBytes: 64, gpus: [gpu(0, 10, 81)] }),
  ]);
  assert.deepEqual(summary, {
    at: 0,
    cpuPercent: 15.3,
    memoryUsedBytes: 11,
    memoryBytes: 64,
    gpus: [gpu(0, 50, 81)],
  });
});

test("the last sample may lack what others have", () => {
  const { memoryUsedBytes, memoryBytes } = summarizeLoad(0, [
    sample(0, { memoryUsedBytes: 10, memoryBytes: 64 }),
    sample(1, { gpus: [gpu(0, 1, 50)] }),
  ]);
  assert.deepEqual([memoryUsedBytes, memoryBytes], [10, 64]);
});

test("what no sample has is null", () => {
  assert.deepEqual(summarizeLoad(7, [sample(8), sample(9)]), sample(7));
  assert.equal(
    summarizeLoad(7, [sample(8, { gpus: [gpu(3, 1, null)] })]).gpus[0]!.temperatureC,
    null,
  );
});

test("samples are summarized by the interval that they begin in", () => {
  const half = LOAD_INTERVAL_MS / 2;
  const samples = [0, half, 2 * half, 5 * half].map((at, n) => sample(at, { cpuPercent: n }));
  const summaries = summarizeIntervals(samples, LOAD_INTERVAL_MS);
  assert.deepEqual(
    summaries.map(({ at, cpuPercent }) => [at / half, cpuPercent]),
    [
      [0, 0.5],
      [2, 2],
      [4, 3],
    ],
  );
  assert.equal(intervalStart(LOAD_INTERVAL_MS - 1, LOAD_INTERVAL_MS), 0);
});
