// Network volumes: their first use, the disk they take, their deletion.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { defaultEndpoint } from "../../../../src/domain/endpoint/endpoint.ts";
import { workloadOf } from "../../../../src/domain/endpoint/release.ts";
import type { NetworkVolume } from "../../../../src/domain/network-volume/network-volume.ts";
import { defaultTemplate } from "../../../../src/domain/template/template.ts";
import { insertEndpoint, markEndpointDeleted } from "../../../../src/store/endpoint/endpoint.ts";
import {
  changeVolume,
  deletedVolumesOn,
  findVolume,
  insertVolume,
  listVolumes,
  lockVolume,
  lockVolumeShared,
  placeVolume,
  purgeVolume,
} from "../../../../src/store/network-volume/network-volume.ts";
import { recordVolumeUses, volumeUses } from "../../../../src/store/network-volume/use.ts";
import { endedWorkersMounting } from "../../../../src/store/worker/resources.ts";
import { forgetReleases } from "../../../../src/transactions/endpoint/forget-releases.ts";
import { deleteVolume } from "../../../../src/transactions/network-volume/delete.ts";
import { lockFreeDisk } from "../../../../src/transactions/place/places.ts";
import { insertWorker } from "../../../../src/transactions/worker/insert.ts";
import { markEnded } from "../../../../src/transactions/worker/observe.ts";
import { Fixture, type OpenStore } from "../fixture.ts";
import { gpuMachine } from "../pod/pod.ts";

/** A machine with disk, and volumes in its data center. */
async function set(open: OpenStore, t: TestContext) {
  const fixture = await Fixture.set(open, t);
  const { store, now } = fixture;
  await gpuMachine(store, "m", now);
  const volume = (id: string, more: Partial<NetworkVolume> = {}): NetworkVolume => {
    const place = { type: "STANDARD" as const, dataCenterId: "X", machine: null, virtual: false };
    return {
      id,
      accountId: "account",
      name: id,
      labels: {},
      size: 10,
      createdAt: now,
      ...place,
      ...more,
    };
  };
  const free = () => store.write(lockFreeDisk, { machine: "m", since: now - 1, except: null });
  return { fixture, store, now, volume, free };
}

export function volumeConformance(open: OpenStore): void {
  test("a volume is stored, changed, and listed oldest first", async (t) => {
    const { store, now, volume } = await set(open, t);
    await store.write(insertVolume, volume("b", { createdAt: now }));
    await store.write(insertVolume, volume("a", { createdAt: now + 1 }));
    assert.deepEqual(await store.read(findVolume, "a"), volume("a", { createdAt: now + 1 }));
    await store.write(changeVolume, { ...volume("a"), name: "new", size: 20 });
    const changed = volume("a", { createdAt: now + 1, name: "new", size: 20 });
    assert.deepEqual(await store.write(lockVolume, "a"), changed);
    assert.deepEqual(await store.write(lockVolumeShared, "a"), changed);
    const ids = (await store.read(listVolumes, "account")).map(({ id }) => id);
    assert.deepEqual(ids, ["b", "a"]);
    assert.deepEqual(await store.read(listVolumes, "other"), []);
  });

  test("the last measured use of each existing volume is kept", async (t) => {
    const { store, now, volume } = await set(open, t);
    for (const id of ["v", "w", "x"]) await store.write(insertVolume, volume(id));
    const record = (id: string, usedBytes: number) =>
      store.write(recordVolumeUses, [
        { id, usedBytes },
        { id: "unknown", usedBytes: 1 },
      ]);
    for (const bytes of [5, 5, 9_000_000_000_000]) await record("v", bytes);
    await record("x", 3);
    await store.write(deleteVolume, volume("x"), now);
    assert.deepEqual([...(await store.read(volumeUses, "account"))], [["v", 9_000_000_000_000]]);
    assert.deepEqual([...(await store.read(volumeUses, "other"))], []);
  });

  test("the first use assigns a volume to a machine, where it takes disk until it is purged", async (t) => {
    const { store, now, volume, free } = await set(open, t);
    await store.write(insertVolume, volume("v"));
    await store.write(insertVolume, volume("virtual"));
    const before = (await free())!;
    await store.write(placeVolume, volume("v"), "m", false);
    await store.write(placeVolume, volume("v"), "other", true);
    await store.write(placeVolume, volume("virtual"), "m", true);
    const assigned = (await store.read(findVolume, "v"))!;
    assert.deepEqual([assigned.machine, assigned.virtual], ["m", false]);
    assert.equal(await free(), before - 10);
    await store.write(deleteVolume, assigned, now);
    assert.equal(await store.read(findVolume, "v"), undefined);
    assert.equal(await store.write(lockVolume, "v"), undefined);
    assert.equal(await free(), before - 10);
    assert.deepEqual(await store.read(deletedVolumesOn, "m"), ["v"]);
    assert.deepEqual(await store.read(deletedVolumesOn, "other"), []);
    await store.write(purgeVolume, "virtual");
    await store.write(purgeVolume, "v");
    assert.equal(await free(), before);
    assert.ok(await store.read(findVolume, "virtual"));
    assert.equal(
      await store.write(lockFreeDisk, { machine: "nowhere", since: 0, except: null }),
      null,
    );
  });

  endConformance(open);
}

function endConformance(open: OpenStore): void {
  test("a volume that was never used is deleted at once", async (t) => {
    const { fixture, store, now, volume } = await set(open, t);
    await store.write(insertVolume, volume("v"));
    await store.write(deleteVolume, volume("v"), now);
    assert.equal(Number(await fixture.value("select count(*) from network_volume")), 0);
  });

  test("ended workers that mounted a volume are found on their machine, though their endpoint is deleted", async (t) => {
    const { store, now } = await set(open, t);
    const workload = workloadOf(defaultTemplate("i"), { networkVolumeIds: ["u", "v"] });
    const release = {
      endpointId: "mounting",
      version: 1,
      workload,
      reason: "test",
      createdAt: now,
    };
    const endpoint = defaultEndpoint("mounting", "account", "t", now);
    await store.write(insertEndpoint, endpoint, release);
    const end = { at: now, exitCode: 0, signal: null };
    for (const [id, machine] of [
      ["live", "m"],
      ["ended", "m"],
      ["elsewhere", "other"],
    ] as const) {
      const worker = { id, endpointId: "mounting", version: 1, machine, driver: "none" };
      await store.write(insertWorker, worker, `hash of ${id}`, now);
      if (id !== "live") await store.write(markEnded, id, end);
    }
    assert.deepEqual(await store.read(endedWorkersMounting, "m", "v"), ["ended"]);
    assert.deepEqual(await store.read(endedWorkersMounting, "m", "w"), []);
    await store.write(markEnded, "live", end);
    await store.write(markEndpointDeleted, endpoint, now);
    assert.equal(await store.write(forgetReleases, 1, 100), 0, "their containers still mount it");
  });
}
