// The MIG profiles of GPUs are read beside the changes of their layout.

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
import { DriverUnavailable } from "../../../drivers/driver.ts";
import { openSqlite } from "../../../store/engine/sqlite/open.ts";
import { gpuHealthOf } from "../../../store/replica/gpu-health.ts";
import { enterReplica } from "../../../transactions/replica/membership.ts";
import { setMigLayoutsLoop } from "./set-mig-layouts.ts";

test("the profiles are read again after the machine was not reached", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-mig-"));
  const fixture = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await fixture.store.close();
    rmSync(folder, { recursive: true });
  });
  const { store, now } = fixture;
  const slice = { gpu: "GPU-a", profile: "7g.80gb", gpuInstance: 0, computeInstance: 0 };
  const inventory = {
    ...bareInventory,
    gpuDriver: "570.133",
    gpuSlices: { "MIG-a": slice },
    gpuNumbers: { "GPU-a": 0, "MIG-a": 1 },
  };
  const replica = { id: "r", machine: "own", drivers: ["docker"], address: "", inventory };
  await store.write(enterReplica, replica, now);
  let isReached = false;
  const calls: string[] = [];
  const profiles = [{ name: "7g.80gb", id: 0, total: 1, starts: [0], size: 8 }];
  const loop = setMigLayoutsLoop({
    store,
    clock: systemClock,
    log: pino({ level: "silent" }),
    machine: "own",
    inventory,
    limits: { migLayouts: "keep" },
    setMigLayout: async () => null,
    async readMigProfiles(uuid) {
      calls.push(uuid);
      if (!isReached) throw new DriverUnavailable("the connection was lost");
      return profiles;
    },
  });
  await loop.run();
  await until(() => calls.length === 1);
  isReached = true;
  const read = await until(async () => {
    await loop.run();
    return (await store.read(gpuHealthOf, "own"))?.migProfiles?.["GPU-a"];
  });
  assert.deepEqual(read, { driver: "570.133", profiles });
  await loop.run();
  await loop.finish!();
  assert.equal(calls.length, 2);
});
