// Tests of GPUs that are divided into shares, and of what holds them while they cannot be read.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { Fault } from "../../src/domain/fault.ts";
import { shareNumbers } from "../../src/domain/gpu-share/gpu-share.ts";
import { openSqlite } from "../../src/store/engine/sqlite/open.ts";
import { heldGpus } from "../../src/store/held-gpu/held-gpu.ts";
import { saveMachineChanges } from "../../src/transactions/machine/change.ts";
import { observeGpus } from "../../src/transactions/machine/gpus/observe-gpus.ts";
import { enterReplica } from "../../src/transactions/replica/membership.ts";
import { Fixture } from "../conformance/store/fixture.ts";
import { machineWith, moveOf, rentPod } from "../conformance/store/pod/pod.ts";

const HALVES = { count: 2, memoryInGb: 20 };

/** A machine with a GPU that is shared by two. */
async function sharedGpu(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-shares-"));
  const fixture = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await fixture.store.close();
    rmSync(folder, { recursive: true });
  });
  const { store, now } = fixture;
  const machine = machineWith("m", ["simulated"]);
  const gpus = [{ gpuTypeId: "NVIDIA A40", memoryMb: 46_068, virtual: false, indices: [0] }];
  const inventory = { ...machine.inventory, gpus, gpuNumbers: { "GPU-a": 0 } };
  await store.write(enterReplica, { ...machine, inventory }, now);
  const divide = (layout: typeof HALVES | null) =>
    store.write(saveMachineChanges, "account", "m", { shares: { "GPU-a": layout } }, now);
  assert.equal(await divide(HALVES), null);
  const read = (offered: typeof gpus) =>
    store.write(observeGpus, "m", { ...inventory, gpus: offered }, now);
  return { store, now, divide, read, gpus };
}

test("a GPU whose shares are held stays shared while it cannot be read", async (t) => {
  const { store, now, divide, read, gpus } = await sharedGpu(t);
  const [share] = shareNumbers(0, HALVES);
  assert.deepEqual((await store.write(rentPod, "p", now))?.placement.gpus, [share]);
  await read([]);
  const refused = await divide(null);
  assert.ok(refused instanceof Fault);
  assert.match(refused.message, /GPU-a, which p uses/);
  await read(gpus);
  await store.write(rentPod, "q", now);
  assert.equal(await store.write(rentPod, "r", now), null);
  assert.deepEqual(
    (await store.read(heldGpus, "m")).map(({ gpu }) => gpu),
    shareNumbers(0, HALVES),
  );
  for (const id of ["p", "q"]) await store.write(moveOf, id, "delete", now);
  await read([]);
  assert.equal(await divide(null), null);
});
