// Tests of simulated telemetry: it moves, stays within the limits, and its counters never run back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadOf } from "./telemetry.ts";

const SIZE = { vcpus: 4, memoryBytes: 16e9, diskBytes: 50e9, gpuIndices: [3, 4] };

test("the load moves within the limits of the workload", () => {
  const utilizations = new Set<number>();
  let before = loadOf("pod1", SIZE, 0);
  for (let at = 10_000; at <= 3_600_000; at += 10_000) {
    const load = loadOf("pod1", SIZE, at);
    const share = (load.cpuMs - before.cpuMs) / (10_000 * SIZE.vcpus);
    assert.ok(share >= 0 && share <= 1, `CPU share ${share} at ${at}`);
    assert.ok(load.memoryBytes > 0 && load.memoryBytes < SIZE.memoryBytes);
    assert.ok(load.diskBytes > 0 && load.diskBytes < SIZE.diskBytes);
    assert.deepEqual(
      load.gpus.map(({ index }) => index),
      [3, 4],
    );
    for (const { gpuUtilPercent, memoryUtilPercent } of load.gpus) {
      assert.ok(gpuUtilPercent >= 0 && gpuUtilPercent <= 100);
      assert.ok(memoryUtilPercent >= 0 && memoryUtilPercent <= 100);
      utilizations.add(gpuUtilPercent);
    }
    before = load;
  }
  assert.ok(utilizations.size > 100, "the utilization of GPUs moves");
});

test("the same workload has the same load at the same time, and others have their own", () => {
  assert.deepEqual(loadOf("pod1", SIZE, 77_000), loadOf("pod1", SIZE, 77_000));
  assert.notDeepEqual(loadOf("pod1", SIZE, 77_000), loadOf("pod2", SIZE, 77_000));
});
