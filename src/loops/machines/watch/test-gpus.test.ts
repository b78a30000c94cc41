// Tests of GPUs beside the passes of their loop.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import pino from "pino";
import { Fixture } from "../../../../test/conformance/store/fixture.ts";
import { bareInventory } from "../../../../test/fixtures/bare-machine.ts";
import { until } from "../../../../test/fixtures/until.ts";
import { systemClock } from "../../../base/clock.ts";
import { defaultLimits } from "../../../domain/gpu/checks.ts";
import { openSqlite } from "../../../store/engine/sqlite/open.ts";
import { requestedTests, requestGpuTests } from "../../../transactions/machine/gpus/test-gpus.ts";
import { enterReplica } from "../../../transactions/replica/membership.ts";
import { testGpusLoop } from "./test-gpus.ts";

test("a stop ends a test that runs, which stays requested", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-gpu-"));
  const fixture = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await fixture.store.close();
    rmSync(folder, { recursive: true });
  });
  const { store, now } = fixture;
  const gpus = [{ gpuTypeId: "NVIDIA A40", virtual: false, memoryMb: 46_068, indices: [0, 1] }];
  const inventory = { ...bareInventory, gpus, gpuNumbers: { "GPU-a": 0, "GPU-b": 1 } };
  const replica = { id: "r", machine: "own", drivers: ["docker"], address: "", inventory };
  await store.write(enterReplica, replica, now);
  assert.equal(await store.write(requestGpuTests, "own", ["GPU-a", "GPU-b"], now), null);
  const tested: string[] = [];
  const loop = testGpusLoop({
    ...{ store, clock: systemClock, log: pino({ level: "silent" }), machine: "own", inventory },
    limits: defaultLimits,
    testGpu: async (uuid, stopped) => {
      tested.push(uuid);
      if (tested.length === 1) return { outcome: "passed", text: "right" };
      await new Promise((resolve) => stopped.addEventListener("abort", resolve));
      return null;
    },
  });
  await loop.run();
  await until(() => tested.length === 2);
  await loop.run();
  await loop.finish!();
  assert.deepEqual(tested, ["GPU-a", "GPU-b"]);
  assert.deepEqual(await store.write(requestedTests, "own"), ["GPU-b"]);
});
