// Tests of the intervals of a machine's load: what is stored, and what a store that fails for a moment leaves out.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { MachineLoad } from "../../domain/machine/load/load.ts";
import { LOAD_INTERVAL_MS } from "../../domain/machine/load/load-history.ts";
import { LoadIntervals } from "./load-intervals.ts";

const sample = (at: number, cpuPercent: number | null): MachineLoad => ({
  at,
  cpuPercent,
  memoryUsedBytes: null,
  memoryBytes: null,
  gpus: [],
});

function intervalsOf() {
  const stored: [at: number, cpuPercent: number | null][] = [];
  const failures: Error[] = [];
  const write = async (_: unknown, __: string, { at, cpuPercent }: MachineLoad) => {
    const failure = failures.pop();
    if (failure) throw failure;
    stored.push([at / LOAD_INTERVAL_MS, cpuPercent]);
  };
  const store = { write: write as never };
  return { stored, failures, intervals: new LoadIntervals({ store, machine: { id: "m" } }) };
}

test("an interval is stored with the first sample of the next, and not for a machine that is not measured", async () => {
  const { stored, intervals } = intervalsOf();
  for (const n of [0, 0.4, 0.8]) await intervals.observe(sample(n * LOAD_INTERVAL_MS, 10 * n));
  await intervals.observe(sample(3 * LOAD_INTERVAL_MS, null));
  assert.deepEqual(stored, []);
  await intervals.observe(sample(5 * LOAD_INTERVAL_MS, 1));
  assert.deepEqual(stored, [[0, 4]]);
});

test("an interval whose write fails is stored with the next sample", async () => {
  const { stored, failures, intervals } = intervalsOf();
  await intervals.observe(sample(0, 7));
  failures.push(new Error("the store is unavailable"));
  await assert.rejects(intervals.observe(sample(LOAD_INTERVAL_MS, 1)), /unavailable/);
  await intervals.observe(sample(1.1 * LOAD_INTERVAL_MS, 3));
  await intervals.observe(sample(2 * LOAD_INTERVAL_MS, 9));
  assert.deepEqual(stored, [
    [0, 7],
    [1, 3],
  ]);
});
