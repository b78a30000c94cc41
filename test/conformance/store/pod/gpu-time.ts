// GPU times by the owner that a Pod had when it was measured.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { GpuTime } from "../../../../src/domain/usage/gpu-time.ts";
import { lastPodNames, sumGpuTimes } from "../../../../src/store/idle-gpu/idle-gpu.ts";
import { addGpuTimes } from "../../../../src/transactions/pod/gpu-time.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

const time = (changes: Partial<GpuTime>): GpuTime => ({
  podId: "p",
  podName: "zeta",
  accountId: "a",
  ownerId: "ada",
  day: 0,
  at: 10,
  measuredMs: 100,
  idleMs: 60,
  ...changes,
});

export function gpuTimeConformance(open: OpenStore): void {
  test("a Pod that is handed over counts for each of its owners, under its last name", async (t) => {
    const { store } = await Fixture.set(open, t);
    await store.write(addGpuTimes, [time({})]);
    const handedOver = { ownerId: "bob", podName: "alpha", at: 30 };
    await store.write(addGpuTimes, [time({ at: 20 }), time({ ...handedOver, idleMs: 0 })]);
    await store.write(addGpuTimes, [
      time({ ...handedOver, ownerId: null, at: 25, podName: "mid" }),
    ]);
    const window = { from: 0, to: 1 };
    assert.deepEqual(
      new Set(await store.read(sumGpuTimes, "a", "member", window)),
      new Set([
        { id: "ada", measuredMs: 200, idleMs: 120 },
        { id: "bob", measuredMs: 100, idleMs: 0 },
        { id: null, measuredMs: 100, idleMs: 60 },
      ]),
    );
    assert.deepEqual(await store.read(sumGpuTimes, "a", "pod", window), [
      { id: "p", measuredMs: 400, idleMs: 180 },
    ]);
    const names = await store.read(lastPodNames, "a", window);
    assert.deepEqual([...names], [["p", "alpha"]]);
  });
}
