// Tests of reading GPUs again while one of their drivers does not answer, and of a GPU that is lost.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import pino from "pino";
import { Fixture } from "../../../../test/conformance/store/fixture.ts";
import { bareInventory } from "../../../../test/fixtures/bare-machine.ts";
import { readingsWith } from "../../../../test/fixtures/gpu/readings.ts";
import { systemClock } from "../../../base/clock.ts";
import { builtInCatalog } from "../../../config/catalog/read.ts";
import { defaultLimits } from "../../../domain/gpu/checks.ts";
import { openSqlite } from "../../../store/engine/sqlite/open.ts";
import type { Store } from "../../../store/engine/store.ts";
import { allocateGpus } from "../../../store/held-gpu/held-gpu.ts";
import { setGpuHealth } from "../../../store/replica/gpu-health.ts";
import { knownMachines, recordedInventory } from "../../../store/replica/inventory.ts";
import { findWorker } from "../../../store/worker/worker.ts";
import { saveMachineChanges } from "../../../transactions/machine/change.ts";
import { endOnLostGpus } from "../../../transactions/machine/gpus/quarantine.ts";
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

type LoopDeps = Parameters<typeof watchGpusLoop>[0];

const readingOf = (index: number, eccErrors: number) => {
  return { index, uuid: `GPU-${index}`, readings: readingsWith({ eccErrors }) };
};

async function openStore(t: TestContext): Promise<Fixture> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-gpus-"));
  const fixture = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await fixture.store.close();
    rmSync(folder, { recursive: true });
  });
  return fixture;
}

async function loopOn(store: Store, now: number, readGpus: LoopDeps["readGpus"]) {
  const inventory = { ...bareInventory };
  const replica = { id: "r", machine: "own", drivers: ["docker"], address: "", inventory };
  await store.write(enterReplica, replica, now);
  return watchGpusLoop({
    store,
    clock: systemClock,
    log: pino({ level: "silent" }),
    machine: "own",
    inventory,
    catalog: builtInCatalog(),
    declaredCuda: null,
    declaredVirtual: false,
    limits: { ...defaultLimits, quarantine: ["ecc_errors"] },
    readGpus,
  });
}

test("findings stay for the GPUs of a silent driver, those of another one are recorded, and links count anew once", async (t) => {
  const { store, now } = await openStore(t);
  const whole = { ...WHOLE, readings: [readingOf(0, 2), readingOf(1, 0)] };
  let reading: LoopDeps["readGpus"] = async () => whole;
  const loop = await loopOn(store, now, (uuids) => reading(uuids));
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

test("a worker on a GPU that two readings lack ends, also if the store fails meanwhile", async (t) => {
  const { store, now } = await openStore(t);
  let failures = 1;
  const unreliable: Store = new Proxy(store, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        if (args[0] === endOnLostGpus && failures-- > 0)
          throw new Error("the store is unavailable");
        return member.apply(target, args);
      };
    },
  });
  const whole = { ...WHOLE, readings: [readingOf(0, 0), readingOf(1, 0)] };
  const withoutFirst = { ...whole, gpus: whole.gpus.slice(1), readings: whole.readings.slice(1) };
  let reading: typeof whole = whole;
  const loop = await loopOn(unreliable, now, async () => reading);
  const desired = async () => (await store.read(findWorker, "w"))?.desired;
  await loop.run();
  await store.write(allocateGpus, "w", "own", [0]);
  reading = withoutFirst;
  await loop.run();
  assert.equal(await desired(), "run");
  await assert.rejects(async () => loop.run(), /unavailable/);
  assert.equal(await desired(), "run");
  await loop.run();
  assert.equal(await desired(), "end");
});
