// Network volumes: their first use, the disk they take, and what is left of them.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { defaultEndpoint } from "../../domain/endpoint/defaults.ts";
import { workloadOf } from "../../domain/endpoint/release.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import { defaultTemplate } from "../../domain/template/defaults.ts";
import { insertEndpoint } from "../endpoint/endpoint.ts";
import { droppedOn, dropVolume, endedWith, forgetVolume } from "../network-volume/dropped.ts";
import {
  changeVolume,
  findVolume,
  holdVolume,
  insertVolume,
  listVolumes,
  lockVolume,
  settleVolume,
} from "../network-volume/network-volume.ts";
import { noteVolumeUses, volumeUses } from "../network-volume/use.ts";
import { lockFreeDisk } from "../place/places.ts";
import { insertWorker, markEnded } from "../worker/worker.ts";
import { gpuMachine } from "./pod-laws.ts";
import { type OpenStore, Stage } from "./stage.ts";

/** A machine with disk, and volumes in its data center. */
async function set(open: OpenStore, t: TestContext) {
  const stage = await Stage.set(open, t);
  const { store, now } = stage;
  await gpuMachine(store, "m", now);
  const volume = (id: string, more: Partial<NetworkVolume> = {}): NetworkVolume => {
    const place = { dataCenterId: "X", machine: null, virtual: false };
    return { id, accountId: "account", name: id, size: 10, createdAt: now, ...place, ...more };
  };
  const free = () => store.write(lockFreeDisk, { machine: "m", since: now - 1, except: null });
  return { stage, store, now, volume, free };
}

export function volumeLaws(open: OpenStore): void {
  test("a volume is read back as it was kept, changed, and listed in the order of making", async (t) => {
    const { store, now, volume } = await set(open, t);
    await store.write(insertVolume, volume("b", { createdAt: now }));
    await store.write(insertVolume, volume("a", { createdAt: now + 1 }));
    assert.deepEqual(await store.read(findVolume, "a"), volume("a", { createdAt: now + 1 }));
    await store.write(changeVolume, { ...volume("a"), name: "new", size: 20 });
    const changed = volume("a", { createdAt: now + 1, name: "new", size: 20 });
    assert.deepEqual(await store.write(lockVolume, "a"), changed);
    assert.deepEqual(await store.write(holdVolume, "a"), changed);
    const ids = (await store.read(listVolumes, "account")).map(({ id }) => id);
    assert.deepEqual(ids, ["b", "a"]);
    assert.deepEqual(await store.read(listVolumes, "other"), []);
  });

  test("what is in it is as it was measured last, of those that are there", async (t) => {
    const { store, now, volume } = await set(open, t);
    for (const id of ["v", "w", "x"]) await store.write(insertVolume, volume(id));
    const note = (id: string, usedBytes: number) =>
      store.write(noteVolumeUses, [
        { id, usedBytes },
        { id: "nobody", usedBytes: 1 },
      ]);
    for (const bytes of [5, 5, 9_000_000_000_000]) await note("v", bytes);
    await note("x", 3);
    await store.write(dropVolume, volume("x"), now);
    assert.deepEqual([...(await store.read(volumeUses, "account"))], [["v", 9_000_000_000_000]]);
    assert.deepEqual([...(await store.read(volumeUses, "other"))], []);
  });

  test("its first use says where it is, and takes disk there until nothing of it is left", async (t) => {
    const { store, now, volume, free } = await set(open, t);
    await store.write(insertVolume, volume("v"));
    await store.write(insertVolume, volume("paper"));
    const before = (await free())!;
    await store.write(settleVolume, volume("v"), "m", false);
    await store.write(settleVolume, volume("v"), "other", true);
    await store.write(settleVolume, volume("paper"), "m", true);
    const settled = (await store.read(findVolume, "v"))!;
    assert.deepEqual([settled.machine, settled.virtual], ["m", false]);
    assert.equal(await free(), before - 10);
    await store.write(dropVolume, settled, now);
    assert.equal(await store.read(findVolume, "v"), undefined);
    assert.equal(await store.write(lockVolume, "v"), undefined);
    assert.equal(await free(), before - 10);
    assert.deepEqual(await store.read(droppedOn, "m"), ["v"]);
    assert.deepEqual(await store.read(droppedOn, "other"), []);
    await store.write(forgetVolume, "paper");
    await store.write(forgetVolume, "v");
    assert.equal(await free(), before);
    assert.ok(await store.read(findVolume, "paper"));
    assert.equal(
      await store.write(lockFreeDisk, { machine: "nowhere", since: 0, except: null }),
      null,
    );
  });

  endLaws(open);
}

function endLaws(open: OpenStore): void {
  test("one that nothing used is gone at once", async (t) => {
    const { stage, store, now, volume } = await set(open, t);
    await store.write(insertVolume, volume("v"));
    await store.write(dropVolume, volume("v"), now);
    assert.equal(Number(await stage.value("select count(*) from network_volume")), 0);
  });

  test("ended workers that had a volume are found, on their machine", async (t) => {
    const { store, now } = await set(open, t);
    const workload = workloadOf(defaultTemplate("i"), { networkVolumeIds: ["u", "v"] });
    const release = { endpointId: "mounting", version: 1, workload, reason: "law", createdAt: now };
    await store.write(insertEndpoint, defaultEndpoint("mounting", "account", "t", now), release);
    for (const [id, machine] of [
      ["live", "m"],
      ["ended", "m"],
      ["elsewhere", "other"],
    ] as const) {
      const worker = { id, endpoint_id: "mounting", version: 1, machine, driver: "none" };
      await store.write(insertWorker, worker, `hash of ${id}`, now);
      const end = { at: now, exitCode: 0, signal: null };
      if (id !== "live") await store.write(markEnded, id, end);
    }
    assert.deepEqual(await store.read(endedWith, "m", "v"), ["ended"]);
    assert.deepEqual(await store.read(endedWith, "m", "w"), []);
  });
}
