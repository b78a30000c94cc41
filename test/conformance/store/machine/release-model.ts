// The commits of models that releases pin, and the models that a machine reports.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  modelsInUseOn,
  modelsOfReleases,
  releaseModels,
} from "../../../../src/store/release-model/release-model.ts";
import { modelsOn } from "../../../../src/store/replica/inventory.ts";
import { pinModel } from "../../../../src/transactions/endpoint/pin-model.ts";
import { recordModels } from "../../../../src/transactions/machine/record-models.ts";
import { enterReplica } from "../../../../src/transactions/replica/membership.ts";
import { markEnded } from "../../../../src/transactions/worker/observe.ts";
import { bareInventory } from "../../../fixtures/bare-machine.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

const pin = (commit: string, version = 1, model = "o/n") => {
  return { endpointId: "e", version, model, revision: "main", commit };
};

export function releaseModelConformance(open: OpenStore): void {
  test("the first commit of a release stays", async (t) => {
    const { store } = await Fixture.set(open, t);
    const both = await Promise.all([
      store.write(pinModel, pin("a")),
      store.write(pinModel, pin("b")),
    ]);
    assert.equal(both[0], both[1]);
    assert.equal(await store.write(pinModel, pin("c")), both[0]);
    assert.equal(await store.write(pinModel, pin("c", 2)), "c");
    assert.equal(await store.write(pinModel, pin("d", 1, "o/m")), "d");
    const commits = await store.read(releaseModels, "e", 1);
    assert.deepEqual(commits, [pin("d", 1, "o/m"), pin(both[0]!)]);
    assert.equal((await store.read(modelsOfReleases, "e")).length, 3);
  });

  test("models are in use until their workers end", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    await store.write(pinModel, pin("a"));
    await store.write(pinModel, pin("b", 2));
    assert.deepEqual(await store.read(modelsInUseOn, "m"), [{ model: "o/n", commit: "a" }]);
    assert.deepEqual(await store.read(modelsInUseOn, "elsewhere"), []);
    await store.write(markEnded, "w", { at: now, exitCode: 0, signal: null });
    assert.deepEqual(await store.read(modelsInUseOn, "m"), []);
  });

  test("a machine's models replace those that it reported before", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    const model = { model: "o/n", commit: "a", bytes: 9, downloadedBytes: 4 };
    await store.write(recordModels, "m", [model], []);
    assert.deepEqual(await store.read(modelsOn, "m"), []);
    const replica = { id: "r", machine: "m", drivers: ["simulated"], address: "http://r:1" };
    await store.write(enterReplica, { ...replica, inventory: bareInventory }, now);
    await store.write(recordModels, "m", [model], []);
    await store.write(recordModels, "m", [{ ...model, downloadedBytes: 9 }], ["w"]);
    assert.deepEqual(await store.read(modelsOn, "m"), [{ ...model, downloadedBytes: 9 }]);
  });
}
