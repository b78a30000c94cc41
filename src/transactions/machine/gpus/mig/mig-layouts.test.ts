// A layout that is set while workloads hold the devices of the GPU.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Fixture } from "../../../../../test/conformance/store/fixture.ts";
import { bareInventory } from "../../../../../test/fixtures/bare-machine.ts";
import type { MigChange } from "../../../../domain/gpu/mig/mig-layout.ts";
import { openSqlite } from "../../../../store/engine/sqlite/open.ts";
import { allocateGpus } from "../../../../store/held-gpu/held-gpu.ts";
import { gpuHealthOf } from "../../../../store/replica/gpu-health.ts";
import { enterReplica } from "../../../replica/membership.ts";
import { saveMachineChanges } from "../../change.ts";
import { beginChange, requestedMigChanges } from "./mig-layouts.ts";

test("a GPU that a Pod uses keeps its devices if a person divided it since it was read", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-mig-"));
  const fixture = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await fixture.store.close();
    rmSync(folder, { recursive: true });
  });
  const { store, now } = fixture;
  const slice = { gpu: "GPU-a", profile: "3g.40gb", gpuInstance: 1, computeInstance: 0 };
  const type = { gpuTypeId: "NVIDIA A100 MIG 3g.40gb", virtual: false, memoryMb: 40_192 };
  const inventory = {
    ...bareInventory,
    gpus: [{ ...type, indices: [1] }],
    gpuNumbers: { "GPU-a": 0, "MIG-a": 1 },
    gpuSlices: { "MIG-a": slice },
  };
  const replica = { id: "r", machine: "own", drivers: ["docker"], address: "", inventory };
  await store.write(enterReplica, replica, now);
  await store.write(allocateGpus, "pod", "own", [1]);
  const changes = { migLayouts: { "GPU-a": ["3g.40gb"] } };
  assert.equal(await store.write(saveMachineChanges, "account", "own", changes, now), null);
  const [[uuid, change]] = (await store.read(requestedMigChanges, "own")) as [[string, MigChange]];
  const profiles = ["3g.40gb", "2g.20gb"];
  const earlier = { isEnabled: true, instances: profiles, devices: profiles };
  const begin = { earlier, now: now + 1 };
  assert.equal(await store.write(beginChange, "own", uuid, change, begin), false);
  assert.deepEqual(await store.read(requestedMigChanges, "own"), []);
  const { migChanges = {} } = (await store.read(gpuHealthOf, "own"))!;
  assert.partialDeepStrictEqual(migChanges["GPU-a"]!.result, {
    outcome: "refused",
    text: "nothing may use the GPU, which pod uses",
  });
});
