// The limit on what an account stores, on a store of its own with a virtual clock.

import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../base/clock.ts";
import { Fault } from "../domain/fault.ts";
import type { Store } from "../store/engine/store.ts";
import { StorageQuota } from "./storage-quota.ts";

const GB = 1e9;
const LIMIT = 50 * GB;

function quotaOf(limit: number | null) {
  const stored = { bytes: 0, reads: 0 };
  const read = async () => {
    stored.reads += 1;
    return stored.bytes;
  };
  const clock = new VirtualClock();
  const store = { read } as unknown as Store;
  return { stored, clock, quota: new StorageQuota({ store, clock }, limit) };
}

const isFull = (error: unknown) => error instanceof Fault && error.code === "storage_full";

test("far below the limit nothing is checked again, and requests share a sum", async () => {
  const { stored, quota } = quotaOf(LIMIT);
  const admitted = Array.from({ length: 5 }, () => quota.admit("a", GB));
  assert.deepEqual(await Promise.all(admitted), [null, null, null, null, null]);
  assert.equal(await quota.limitFor("a"), null);
  assert.equal(stored.reads, 1);
  await quota.admit("b", GB);
  assert.equal(stored.reads, 2, "once for each account");
});

test("near the limit each transaction has to check it, by what was admitted as well", async () => {
  const { quota } = quotaOf(LIMIT);
  const limit = { accountId: "a", bytes: LIMIT };
  assert.equal(await quota.admit("a", 46 * GB), null);
  assert.deepEqual(await quota.admit("a", 1), limit);
  assert.deepEqual(await quotaOf(1_000).quota.limitFor("a"), { accountId: "a", bytes: 1_000 });
});

test("a job far below a small limit is not checked again, and counts until it must be stored", async () => {
  const { stored, clock, quota } = quotaOf(GB);
  const limit = { accountId: "a", bytes: GB };
  for (let n = 0; n < 8; n++) assert.equal(await quota.admit("a", 0.1 * GB), null);
  // A sum that is read before they are stored.
  await clock.advance(500);
  assert.deepEqual(await quota.admit("a", 0.1 * GB), limit);
  assert.equal(stored.reads, 2);
  await clock.advance(20_000);
  stored.bytes = 0.7 * GB;
  assert.equal(await quota.admit("a", 0.1 * GB), null);
  assert.deepEqual(await quota.admit("a", 1), limit);
});

test("a change of settings near the limit counts at once", async () => {
  const { stored, quota } = quotaOf(GB);
  assert.equal(await quota.admit("a", 1), null);
  assert.deepEqual(await quota.limitFor("a"), { accountId: "a", bytes: GB });
  stored.bytes = GB;
  await quota.expire("a");
  await assert.rejects(quota.admit("a", 1), isFull);
});

test("an account at its limit is admitted soon after something is freed", async () => {
  const { stored, clock, quota } = quotaOf(1_000);
  stored.bytes = 1_001;
  await assert.rejects(quota.admit("a", 0), isFull);
  stored.bytes = 10;
  await assert.rejects(quota.admit("a", 0), isFull);
  await clock.advance(600);
  assert.ok(await quota.admit("a", 990));
  await assert.rejects(quota.admit("a", 991), isFull);
});

test("another replica's jobs count after the refresh", async () => {
  const { stored, clock, quota } = quotaOf(LIMIT);
  assert.equal(await quota.admit("a", 1), null);
  stored.bytes = LIMIT;
  assert.equal(await quota.admit("a", 1), null);
  await clock.advance(10_000);
  await assert.rejects(quota.admit("a", 1), isFull);
});

test("without a limit nothing is read", async () => {
  const { stored, quota } = quotaOf(null);
  assert.equal(await quota.admit("a", 1e12), null);
  assert.equal(await quota.limitFor("a"), null);
  assert.equal(stored.reads, 0);
});
