// Tests of reading GPUs again while one of their drivers does not answer.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import pino from "pino";
import { Fixture } from "../../../../test/conformance/store/fixture.ts";
import { bareInventory } from "../../../../test/fixtures/bare-machine.ts";
import { readingsWith } from "../../../../test/fixtures/gpu/readings.ts";
import { builtInCatalog } from "../../../app/catalog/read.ts";
import { systemClock } from "../../../base/clock.ts";
import { defaultLimits } from "../../../domain/gpu/checks.ts";
import { openSqlite } from "../../../store/engine/sqlite/open.ts";
import { setGpuHealth } from "../../../store/replica/gpu-health.ts";
import { knownMachines, recordedInventory } from "../../../store/replica/inventory.ts";
import { saveMachineChanges } from "../../../transactions/machine/change.ts";
import { enterReplica } from "../../../transactions/replica/membership.ts";
import { watchGpusLoop } from "./watch-gpus.ts";

/** Two GPUs of two drivers, without their readings. */
const WHOLE = {
  gpus: ["NVIDIA A40", "AMD Instinct MI300X"].map((name, index) => {
    return { index, uuid: `GPU-${index}`, name, memoryMb: 46_068 };
  }),
  gpuDriver: "1",
  cudaVersion: null,
  gpuTrouble: null,
  gpuFaults: [],
  gpuNotices: [],
  gpuAddresses: {},
  gpuNodes: {},
  gpuLinks: {},
  gpuSlices: {},
  gpuNumbers: { "GPU-0": 0, "GPU-1": 1 },
};

test("findings stay for the GPUs of a silent driver, those of another one are recorded, and links count anew once", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-gpus-"));
  const fixture = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await fixture.store.close();
    rmSync(folder, { recursive: true });
  });
  const { store, now } = fixture;
  const inventory = { ...bareInventory };
  const replica = { id: "r", machine: "own", drivers: ["docker"], address: "", inventory };
  await store.write(enterReplica, replica, now);
  const readingOf = (index: number, eccErrors: number) => {
    return { index, uuid: `GPU-${index}`, readings: readingsWith({ eccErrors }) };
  };
  const whole = { ...WHOLE, readings: [readingOf(0, 2), readingOf(1, 0)] };
  let reading: Parameters<typeof watchGpusLoop>[0]["readGpus"] = async () => whole;
  const loop = watchGpusLoop({
    store,
    clock: systemClock,
    log: pino({ level: "silent" }),
    machine: "own",
    inventory,
    catalog: builtInCatalog(),
    declaredCuda: null,
    declaredVirtual: false,
    limits: { ...defaultLimits, quarantine: ["ecc_errors"] },
    readGpus: (uuids) => reading(uuids),
  });
  const faulty = async () =>
    (await store.read(recordedInventory, "own"))?.gpuFaults?.map(({ index }) => index) ?? [];
  await loop.run();
  assert.deepEqual(await faulty(), [0]);
  reading = async () => ({ ...whole, readings: [readingOf(1, 5)], isSilent: true });
  await loop.run();
  assert.deepEqual(await faulty(), [0, 1]);
  reading = async () => ({ ...whole, readings: [readingOf(0, 0), readingOf(1, 0)] });
  await loop.run();
  assert.deepEqual(await faulty(), []);

  const forgotten: (readonly string[])[] = [];
  reading = async (uuids) => {
    forgotten.push(uuids);
    const gpuLinks: Record<string, number[]> = uuids.length > 0 ? {} : { "GPU-0": [0, 1] };
    return { ...whole, gpuLinks };
  };
  await loop.run();
  const cordons = { "GPU-0": null, "GPU-1": null };
  assert.equal(await store.write(saveMachineChanges, "account", "own", { cordons }, now), null);
  await loop.run();
  assert.deepEqual((await store.read(recordedInventory, "own"))?.gpuLinks, undefined);
  await loop.run();
  assert.deepEqual(forgotten, [[], ["GPU-0"], []]);

  // The operator no longer allows the service to change layouts.
  await store.write(setGpuHealth, "own", { migLayouts: { "GPU-0": ["3g.40gb"] } });
  const hasOtherLayout = async () =>
    (await store.read(knownMachines))[0]!.inventory.gpuFaults?.some(
      ({ code }) => code === "mig_layout",
    );
  assert.equal(await hasOtherLayout(), true);
  await loop.run();
  assert.equal(await hasOtherLayout(), false);
});
