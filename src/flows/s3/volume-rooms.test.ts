import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../base/clock.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import type { VolumeFiles } from "../../drivers/volume-files.ts";
import { VolumeRooms } from "./volume-rooms.ts";

const GB = 2 ** 30;
const volume = { id: "v", size: 1 } as NetworkVolume;
const filesWith = (
  usedBytes: number,
  freeBytes: number,
  staged: { name: string; size: number }[] = [],
) =>
  ({
    usedBytes: async () => usedBytes,
    freeBytes: async () => freeBytes,
    staged: async () => staged.map((each) => ({ ...each, changedAt: 0 })),
  }) as VolumeFiles;
const full = { code: "QuotaExceeded" };

test("the volume's size and the disk's free space limit what is declared", async () => {
  const rooms = new VolumeRooms(new VirtualClock());
  await rooms.require(volume, filesWith(GB - 10, GB), 10);
  await assert.rejects(rooms.require(volume, filesWith(GB - 10, GB), 11), full);
  const other = new VolumeRooms(new VirtualClock());
  await assert.rejects(other.require(volume, filesWith(0, 5), 6), full);
});

test("bytes count as they arrive, until they are deleted or replace others", async () => {
  const rooms = new VolumeRooms(new VirtualClock());
  const files = filesWith(GB - 10, GB);
  await rooms.require(volume, files, 0);
  rooms.take(volume, 8);
  assert.throws(() => rooms.take(volume, 8), full);
  rooms.release(volume, 16);
  rooms.take(volume, 10);
  rooms.place(volume, 10, 0);
  assert.throws(() => rooms.take(volume, 1), full);
  rooms.release(volume, 1);
  rooms.place(volume, 0, 4);
  rooms.take(volume, 4);
});

test("what was staged before the service started counts", async () => {
  const rooms = new VolumeRooms(new VirtualClock());
  const files = filesWith(10, 2 * GB, [{ name: "part", size: GB - 20 }]);
  await rooms.require(volume, files, 10);
  await assert.rejects(rooms.require(volume, files, 11), full);
});

test("staged bytes that went without a word are free once the volume is measured again", async () => {
  const clock = new VirtualClock();
  const rooms = new VolumeRooms(clock);
  const staged: { name: string; size: number }[] = [];
  const files = filesWith(0, 2 * GB, staged);
  await rooms.require(volume, files, 0);
  rooms.take(volume, GB);
  staged.push({ name: "part", size: GB });
  await clock.advance(60_000);
  await rooms.require(volume, files, 0); // measures beside it
  await new Promise(setImmediate);
  await assert.rejects(rooms.require(volume, files, 1), full);
  staged.pop(); // as an old upload that is swept
  await clock.advance(60_000);
  await rooms.require(volume, files, 0);
  await new Promise(setImmediate);
  await rooms.require(volume, files, GB);
});

test("parts and the file that they become count once", async () => {
  const clock = new VirtualClock();
  const rooms = new VolumeRooms(clock);
  const staged = [{ name: "part", size: GB - 10 }];
  const files = filesWith(0, 2 * GB, staged);
  await rooms.require(volume, files, 0);
  rooms.addCopy(volume, "whole");
  staged.push({ name: "whole", size: GB - 10 });
  await clock.advance(60_000);
  await rooms.require(volume, files, 0);
  await new Promise(setImmediate);
  await rooms.require(volume, files, 10);
  rooms.place(volume, GB - 10, 0);
  await rooms.require(volume, files, 10);
  await assert.rejects(rooms.require(volume, files, 11), full);
});
