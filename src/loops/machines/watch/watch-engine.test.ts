// The trouble of a machine's own container engine: recorded while it does not answer, and no longer.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Fixture } from "../../../../test/conformance/store/fixture.ts";
import { bareInventory } from "../../../../test/fixtures/bare-machine.ts";
import type { Inventory } from "../../../domain/machine/inventory.ts";
import { openSqlite } from "../../../store/engine/sqlite/open.ts";
import { recordedInventory } from "../../../store/replica/inventory.ts";
import { enterReplica } from "../../../transactions/replica/membership.ts";
import { watchEngineLoop } from "./watch-engine.ts";

test("what an engine does not answer is the trouble of its machine, until it answers", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-engine-"));
  const fixture = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await fixture.store.close();
    rmSync(folder, { recursive: true });
  });
  const { store } = fixture;
  const inventory: Inventory = { ...bareInventory };
  const replica = { id: "r", machine: "own", drivers: ["docker"], address: "", inventory };
  await store.write(enterReplica, replica, fixture.now);
  let problem: Error | null = null;
  const facts = { quota: "measured" } as const;
  const readFacts = async () => facts;
  const loop = watchEngineLoop({
    store,
    machine: "own",
    inventory,
    readFacts,
    problem: async () => problem,
  });
  const recorded = async () => {
    await loop.run();
    const { engineTrouble } = (await store.read(recordedInventory, "own"))!;
    assert.equal(inventory.engineTrouble, engineTrouble, "what the next heartbeat would enter");
    return engineTrouble;
  };
  const quota = async () => (await store.read(recordedInventory, "own"))!.quota;
  problem = new Error("It does not respond.");
  assert.equal(await recorded(), "It does not respond.");
  assert.equal(await quota(), undefined);
  problem = null;
  assert.equal(await recorded(), undefined);
  assert.equal(await quota(), "measured", "what it did not tell at the start");
  assert.equal(inventory.quota, "measured");
});
