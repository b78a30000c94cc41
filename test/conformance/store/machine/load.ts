// The load of machines in intervals.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { MachineLoad } from "../../../../src/domain/machine/load/load.ts";
import { forgetLoads, loadsBetween } from "../../../../src/store/machine-load/machine-load.ts";
import { recordLoad } from "../../../../src/transactions/machine-load/record.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

const interval = (at: number, cpuPercent: number): MachineLoad => ({
  at,
  cpuPercent,
  memoryUsedBytes: 5_524_197_376,
  memoryBytes: null,
  gpus: [
    {
      index: 0,
      gpuUtilPercent: 97.5,
      memoryUtilPercent: 40,
      temperatureC: 71,
      powerWatts: null,
      clockMhz: null,
    },
  ],
});

export function machineLoadConformance(open: OpenStore): void {
  test("a machine has one load for each interval, and only the oldest are deleted", async (t) => {
    const { store } = await Fixture.set(open, t);
    for (const at of [300_000, 0, 600_000]) await store.write(recordLoad, "a", interval(at, 1));
    await store.write(recordLoad, "a", interval(600_000, 12.5));
    await store.write(recordLoad, "b", interval(0, 3));
    assert.deepEqual(await store.read(loadsBetween, "a", 300_000, 600_000), [
      interval(300_000, 1),
      interval(600_000, 12.5),
    ]);
    assert.deepEqual(await store.read(loadsBetween, "a", 300_000, 599_999), [interval(300_000, 1)]);
    await store.write(forgetLoads, 600_000, 2);
    const remaining = await Promise.all(
      ["a", "b"].map((each) => store.read(loadsBetween, each, 0, 600_000)),
    );
    assert.deepEqual(
      remaining.map((loads) => loads.map(({ at }) => at)),
      [[300_000, 600_000], []],
    );
  });
}
