// The limit on what an account stores, on a store of its own with a virtual clock.

import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../base/clock.ts";
import { Fault } from "../domain/fault.ts";
import type { Store } from "../store/engine/store.ts";
import { StorageQuota } from "./storage-quota.ts";

function quotaOf(most: number | null) {
  const stored = { bytes: 0, reads: 0 };
  const read = async () => {
    stored.reads += 1;
    return stored.bytes;
  };
  const clock = new VirtualClock();
  const store = { read } as unknown as Store;
  return { stored, clock, quota: new StorageQuota({ store, clock }, most) };
}

const isFull = (error: unknown) => error instanceof Fault && error.code === "storage_full";

test("what was admitted counts before the store is read again", async () => {
  const { stored, quota } = quotaOf(1_000);
  for (let n = 0; n < 4; n++) await quota.admit("a", 250);
  await assert.rejects(quota.admit("a", 1), isFull);
  await quota.admit("b", 1_000);
  assert.equal(stored.reads, 2, "once for each account");
});

test("an account at its limit is admitted soon after something is freed", async () => {
  const { stored, clock, quota } = quotaOf(1_000);
  stored.bytes = 1_001;
  await assert.rejects(quota.admit("a", 0), isFull);
  stored.bytes = 10;
  await assert.rejects(quota.admit("a", 0), isFull);
  await clock.advance(600);
  await quota.admit("a", 990);
});

test("another replica's jobs count after the refresh", async () => {
  const { stored, clock, quota } = quotaOf(1_000);
  await quota.admit("a", 1);
  stored.bytes = 1_001;
  await quota.admit("a", 1);
  await clock.advance(10_000);
  await assert.rejects(quota.admit("a", 1), isFull);
});

test("requests at once share a query", async () => {
  const { stored, quota } = quotaOf(1_000);
  const settled = await Promise.allSettled(Array.from({ length: 5 }, () => quota.admit("a", 300)));
  assert.deepEqual(
    settled.map(({ status }) => status),
    ["fulfilled", "fulfilled", "fulfilled", "rejected", "rejected"],
  );
  assert.equal(stored.reads, 1);
});

test("without a limit nothing is read", async () => {
  const { stored, quota } = quotaOf(null);
  await quota.admit("a", 1e12);
  assert.equal(stored.reads, 0);
});
