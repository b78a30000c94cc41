// Tests of GPUs beside the passes of their loop.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import pino from "pino";
import { Fixture } from "../../../../test/conformance/store/fixture.ts";
import { bareInventory } from "../../../../test/fixtures/bare-machine.ts";
import { readingsWith } from "../../../../test/fixtures/gpu/readings.ts";
import { until } from "../../../../test/fixtures/until.ts";
import { systemClock } from "../../../base/clock.ts";
import { defaultLimits } from "../../../domain/gpu/checks.ts";
import type { GpuHealth, Quarantine } from "../../../domain/gpu/health-record.ts";
import { requestMigLayouts } from "../../../domain/gpu/mig/mig-layout.ts";
import type { Inventory } from "../../../domain/machine/inventory.ts";
import { openSqlite } from "../../../store/engine/sqlite/open.ts";
import { gpuHealthOf, setGpuHealth } from "../../../store/replica/gpu-health.ts";
import { cancelGpuRequests } from "../../../transactions/machine/gpus/cancel-requests.ts";
import { returnCleanGpus } from "../../../transactions/machine/gpus/return-clean-gpus.ts";
import { requestedTests, requestGpuTests } from "../../../transactions/machine/gpus/test-gpus.ts";
import { enterReplica } from "../../../transactions/replica/membership.ts";
import { testGpusLoop } from "./test-gpus.ts";

async function withMachine(t: TestContext, gpuNodes: Inventory["gpuNodes"] = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-gpu-"));
  const fixture = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await fixture.store.close();
    rmSync(folder, { recursive: true });
  });
  const { store, now } = fixture;
  const gpus = [{ gpuTypeId: "NVIDIA A40", virtual: false, memoryMb: 46_068, indices: [0, 1] }];
  const gpuNumbers = { "GPU-a": 0, "GPU-b": 1 };
  const inventory = { ...bareInventory, gpus, gpuNumbers, gpuNodes };
  const replica = { id: "r", machine: "own", drivers: ["docker"], address: "", inventory };
  await store.write(enterReplica, replica, now);
  return { store, now, inventory };
}

test("a stop ends a test that runs, which stays requested", async (t) => {
  const { store, now, inventory } = await withMachine(t);
  await store.write(requestGpuTests, "own", ["GPU-a", "GPU-b"], now);
  const tested: string[] = [];
  const loop = testGpusLoop({
    store,
    clock: systemClock,
    log: pino({ level: "silent" }),
    machine: "own",
    inventory,
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

test("a test that is cancelled while it runs is stopped, and its result does not count", async (t) => {
  const { store, now, inventory } = await withMachine(t);
  await store.write(requestGpuTests, "own", ["GPU-a", "GPU-b"], now);
  const tested: string[] = [];
  const loop = testGpusLoop({
    store,
    clock: systemClock,
    log: pino({ level: "silent" }),
    machine: "own",
    inventory,
    limits: defaultLimits,
    testGpu: async (uuid, stopped) => {
      tested.push(uuid);
      if (uuid === "GPU-b") return { outcome: "passed", text: "right" };
      await new Promise((resolve) => stopped.addEventListener("abort", resolve));
      return null;
    },
  });
  await loop.run();
  await until(() => tested.length === 1);
  await store.write(cancelGpuRequests, "own", ["GPU-a"], now);
  await loop.run();
  await until(async () => (await store.read(requestedTests, "own")).length === 0);
  await loop.finish!();
  assert.deepEqual(tested, ["GPU-a", "GPU-b"]);
  const { tests = {} } = (await store.read(gpuHealthOf, "own"))!;
  assert.equal(tests["GPU-a"]!.result!.outcome, "cancelled");
});

interface Conditions {
  nodes?: Inventory["gpuNodes"];
  healthAt?: (now: number) => GpuHealth;
}

/** The GPUs of a machine that are tested for their return while nothing is wrong with them; both are in quarantine. */
async function testedForReturn(t: TestContext, { nodes = {}, healthAt = () => ({}) }: Conditions) {
  const { store, now } = await withMachine(t, nodes);
  const quarantine: Quarantine = {
    code: "ecc_uncorrectable",
    at: now,
    reason: "2 errors",
    recommendation: "reset it",
  };
  const quarantines = { "GPU-a": quarantine, "GPU-b": quarantine };
  await store.write(setGpuHealth, "own", { ...healthAt(now), quarantines });
  const readings = readingsWith({});
  const gpus = ["GPU-a", "GPU-b"].map((uuid, index) => ({ index, uuid, readings }));
  const limits = { ...defaultLimits, returnMinutes: 10, cleanReadings: 1, returnTests: 1 };
  for (const minutes of [0, 11, 30]) {
    const at = { now: now + minutes * 60_000, limits };
    const { returned } = await store.write(
      returnCleanGpus,
      "own",
      { gpus, faulty: new Set<string>() },
      at,
    );
    assert.deepEqual(returned, []);
  }
  return store.write(requestedTests, "own");
}

test("GPUs of both makers are tested for their return", async (t) => {
  const nodes = { "GPU-b": { render: "/dev/dri/renderD128", group: 992 } };
  assert.deepEqual(await testedForReturn(t, { nodes }), ["GPU-a", "GPU-b"]);
});

test("a test for the return that the operator cancelled is not requested again", async (t) => {
  const cancelled = (at: number) => {
    const result = { outcome: "cancelled" as const, text: "it was cancelled", at };
    return { requestedAt: at, result, passes: [] };
  };
  // The second one was cancelled before the quarantine began.
  const healthAt = (now: number) => {
    return { tests: { "GPU-a": cancelled(now), "GPU-b": cancelled(now - 1) } };
  };
  assert.deepEqual(await testedForReturn(t, { healthAt }), ["GPU-b"]);
});

test("a GPU whose MIG layout changes is not tested meanwhile", async (t) => {
  const healthAt = () => requestMigLayouts({}, { "GPU-a": ["3g.40gb"] }, 1);
  assert.deepEqual(await testedForReturn(t, { healthAt }), ["GPU-b"]);
});
