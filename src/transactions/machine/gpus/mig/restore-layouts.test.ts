// Tests of MIG layouts that are to be put back: the events of the operator, and what ends it.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { Fixture } from "../../../../../test/conformance/store/fixture.ts";
import { bareInventory } from "../../../../../test/fixtures/bare-machine.ts";
import type { GpuHealth } from "../../../../domain/gpu/health-record.ts";
import type { MigChange, MigChangeResult } from "../../../../domain/gpu/mig/mig-layout.ts";
import type { AccountEvent } from "../../../../domain/notification/event.ts";
import { defaultThreshold } from "../../../../domain/notification/failure-rate.ts";
import { openSqlite } from "../../../../store/engine/sqlite/open.ts";
import { rows, type Tx } from "../../../../store/engine/statement.ts";
import { allocateGpus, releaseGpus } from "../../../../store/held-gpu/held-gpu.ts";
import { insertRule } from "../../../../store/notification/rule.ts";
import { gpuHealthOf, setGpuHealth } from "../../../../store/replica/gpu-health.ts";
import { knownMachines, setGpuReading } from "../../../../store/replica/inventory.ts";
import { enterReplica } from "../../../replica/membership.ts";
import { saveMachineChanges } from "../../change.ts";
import { cancelGpuRequests } from "../cancel-requests.ts";
import { recordMigChange, recordReadLayouts, requestedMigChanges } from "./mig-layouts.ts";
import { restoreMigLayouts } from "./restore-layouts.ts";

const GPU = "GPU-a";
const HALVES = ["3g.40gb", "3g.40gb"];

/** What a reading says of a GPU with these MIG devices. */
function readingOf(profiles: readonly string[]) {
  const indices = profiles.length > 0 ? profiles.map((_, n) => n + 1) : [0];
  const slices = profiles.map((profile, n) => {
    const slice = { gpu: GPU, profile, gpuInstance: n, computeInstance: 0 };
    return [`MIG-${n}`, slice] as const;
  });
  const numbers = slices.map(([uuid], n) => [uuid, n + 1] as const);
  return {
    gpus: [{ gpuTypeId: "NVIDIA A100", virtual: false, memoryMb: 81_920, indices }],
    gpuNumbers: { [GPU]: 0, ...Object.fromEntries(numbers) },
    gpuSlices: Object.fromEntries(slices),
  };
}

function* summaries(): Tx<string[]> {
  const found = yield* rows<{ event: string }>("select event from notification_event order by seq");
  return found.map(({ event }) => (JSON.parse(event) as AccountEvent).summary);
}

/** A GPU that is to have two halves and has these MIG devices. */
async function machineWith(t: TestContext, profiles: readonly string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-mig-"));
  const fixture = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await fixture.store.close();
    rmSync(folder, { recursive: true });
  });
  const { store, now } = fixture;
  const inventory = { ...bareInventory, ...readingOf(profiles) };
  const replica = { id: "r", machine: "own", drivers: ["docker"], address: "", inventory };
  await store.write(enterReplica, replica, now);
  const health: GpuHealth = { migLayouts: { [GPU]: HALVES } };
  await store.write(setGpuHealth, "own", health);
  const rule = { id: "rule", accountId: "account", name: "MIG", enabled: true };
  await store.write(insertRule, {
    ...rule,
    events: ["mig_layout_restored"],
    endpointIds: [],
    podIds: [],
    secret: null,
    notifiedAt: null,
    failures: defaultThreshold,
    channel: { type: "webhook", url: "http://localhost/" },
    createdAt: now,
    changedAt: now,
  });
  return {
    store,
    now,
    restoreAt: (minutes: number) => store.write(restoreMigLayouts, "own", now + minutes * 60_000),
    /** Ends the change that was requested, which is read then. */
    async endAt(minutes: number, result: MigChangeResult) {
      const [[uuid, change]] = (await store.read(requestedMigChanges, "own")) as [
        [string, MigChange],
      ];
      const at = now + minutes * 60_000;
      await store.write(recordMigChange, "own", uuid, change, { ...result, at });
      await store.write(recordReadLayouts, "own", [GPU]);
    },
    events: async () =>
      (await store.read(summaries)).map((text) => text.replace(/^The MIG .* of machine own /, "")),
  };
}

test("one event says why a layout is not put back, and one that it is", async (t) => {
  const { store, restoreAt, endAt, events } = await machineWith(t, ["3g.40gb", "2g.20gb"]);
  await store.write(allocateGpus, "pod", "own", [1]);
  assert.deepEqual(await restoreAt(0), []);
  assert.deepEqual(await restoreAt(5), []);
  const texts = ["were not put back: nothing may use the GPU, which pod uses."];
  assert.deepEqual(await events(), texts);

  await store.write(releaseGpus, "pod");
  for (const minutes of [10, 16]) {
    assert.deepEqual(await restoreAt(minutes), [GPU]);
    await endAt(minutes, { outcome: "refused", text: "In use by another client" });
    texts[1] = "were not put back: In use by another client.";
    assert.deepEqual(await events(), texts);
  }
  assert.deepEqual(await restoreAt(22), [GPU]);
  await endAt(22, { outcome: "set", text: "it has 2 × 3g.40gb" });
  texts.push("were put back.");
  assert.deepEqual(await events(), texts);
  await store.write(setGpuReading, "own", readingOf(HALVES));
  assert.deepEqual(await restoreAt(23), []);
  assert.deepEqual(await events(), texts);

  // A person changes it, and changes it back.
  await store.write(setGpuReading, "own", readingOf(["7g.80gb"]));
  await store.write(allocateGpus, "other", "own", [1]);
  await restoreAt(24);
  await store.write(setGpuReading, "own", readingOf(HALVES));
  await restoreAt(25);
  await restoreAt(26);
  texts.push("were not put back: nothing may use the GPU, which other uses.", "were put back.");
  assert.deepEqual(await events(), texts);
  assert.deepEqual((await store.read(gpuHealthOf, "own"))?.restoreObstacles, {});
});

test("a restore that is cancelled is not requested again, and its GPU is offered as it is", async (t) => {
  const { store, now, restoreAt, events } = await machineWith(t, ["7g.80gb"]);
  assert.deepEqual(await restoreAt(0), [GPU]);
  await store.write(cancelGpuRequests, "own", [GPU], now);
  assert.deepEqual(await restoreAt(10), []);
  const { gpuFaults } = (await store.read(knownMachines))[0]!.inventory;
  assert.deepEqual([gpuFaults, await events()], [undefined, []]);
});

test("a GPU that is shared is not to be divided into MIG devices again once it is whole", async (t) => {
  const { store, now, restoreAt } = await machineWith(t, []);
  for (const layout of [{ count: 2, memoryInGb: 40 }, null]) {
    const changes = { shares: { [GPU]: layout } };
    assert.equal(await store.write(saveMachineChanges, "account", "own", changes, now), null);
    assert.deepEqual(await restoreAt(0), []);
  }
});
