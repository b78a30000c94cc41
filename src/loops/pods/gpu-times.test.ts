// The sums of GPU time: a write whose answer is lost counts once.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { VirtualClock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import type { Store } from "../../store/engine/store.ts";
import { sumGpuTimes } from "../../store/idle-gpu/idle-gpu.ts";
import { GpuTimes } from "./gpu-times.ts";
import type { Measurement } from "./measurement.ts";

const PERIOD_MS = 10_000;
/** What the store did with a write that fails. */
const OUTCOMES = ["not committed", "committed, and the answer is lost"] as const;

for (const outcome of OUTCOMES) {
  test(`each time counts once after a write that is ${outcome}`, async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), "freehold-gpu-times-"));
    const store = await openSqlite(path.join(folder, "freehold.db"));
    t.after(async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    });
    const clock = new VirtualClock();
    let failures = 2;
    const failing = {
      async write(transaction: unknown, ...args: unknown[]) {
        const fails = failures-- > 0;
        if (!fails || outcome !== "not committed")
          await store.write(transaction as never, ...(args as never));
        if (fails) throw new Fault("store_unavailable");
      },
    } as unknown as Store;
    const gpuTimes = new GpuTimes({ store: failing, clock });
    const measure = async () => {
      gpuTimes.observe(pod, measurementAt(clock));
      await gpuTimes.settle(new Set([pod.id]));
    };
    await measure();
    for (let n = 1; n <= 24; n++) {
      await clock.advance(PERIOD_MS);
      if (n === 1 || n === 2) await assert.rejects(measure(), { code: "store_unavailable" });
      else await measure();
    }
    const day = { from: 0, to: Number.MAX_SAFE_INTEGER };
    const [sum] = await store.read(sumGpuTimes, "account", "pod", day);
    // The first write has one measurement, and the next ones come once a minute: after 3, 9, 15 and 21.
    assert.deepEqual([sum?.id, sum?.measuredMs, sum?.idleMs], ["p", 21 * PERIOD_MS, 0]);
  });
}

const pod = {
  id: "p",
  name: "p",
  accountId: "account",
  ownerId: null,
  desired: { state: "RUNNING", generation: 1 },
  observed: { state: "running", startedGeneration: 1 },
} as Pod;

function measurementAt(clock: VirtualClock): Measurement {
  const gpu = { index: 0, gpuUtilPercent: 90, memoryUtilPercent: 50, clockMhz: null };
  return {
    at: clock.now(),
    ticks: clock.ticks(),
    generation: 1,
    networkBytes: 0,
    cpus: 1,
    gpuCount: 1,
    hasInput: false,
    sample: { cpuPercent: 50, gpus: [gpu] } as unknown as Measurement["sample"],
  };
}
