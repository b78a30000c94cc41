// An object whose record cannot be written.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { systemClock } from "../../base/clock.ts";
import { randomIds } from "../../base/ids.ts";
import { GIB } from "../../base/units.ts";
import { Fault } from "../../domain/fault.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import { LocalVolumeFiles } from "../../drivers/volume/local-volume-files.ts";
import { ObjectLocks } from "./object-locks.ts";
import { storeObject } from "./put-object.ts";
import type { S3Deps } from "./s3-deps.ts";
import { VolumeRooms } from "./volume-rooms.ts";

test("an object counts once although its record was not written", async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), "freehold-put-"));
  t.after(() => rmSync(root, { recursive: true }));
  mkdirSync(path.join(root, "data"));
  const place = { root: path.join(root, "data"), staging: path.join(root, "staging") };
  const files = new LocalVolumeFiles(place);
  const volume = { id: "v", size: 1 } as NetworkVolume;
  const rooms = new VolumeRooms(systemClock);
  await rooms.require(volume, files, 0);
  const usedBefore = await files.usedBytes();
  const store = {
    read: async () => undefined,
    write: async () => {
      throw new Fault("store_unavailable");
    },
  };
  const deps = { store, ids: randomIds, locks: new ObjectLocks(), rooms } as unknown as S3Deps;
  const body = {
    chunks: (async function* () {
      yield Buffer.from("0123456789");
    })(),
    length: 10,
    algorithm: null,
    expected: () => ({ md5: null, checksum: null }),
    requireLastingAccess: async () => {},
  };
  const object = { key: "a", names: ["a"], isFolder: false };
  const put = storeObject(
    deps,
    { volume, files },
    { path: object, headers: {}, conditions: {}, body },
  );
  await assert.rejects(put, { code: "store_unavailable" });
  assert.equal((await files.find(["a"]))?.size, 10);
  rooms.take(volume, GIB - usedBefore - 10);
  assert.throws(() => rooms.take(volume, 1), { code: "QuotaExceeded" });
});
