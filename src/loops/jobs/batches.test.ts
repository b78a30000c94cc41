// The loop of batches: one that fails does not hold up the others.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { Fixture } from "../../../test/conformance/store/fixture.ts";
import { randomIds } from "../../base/ids.ts";
import { ITEMS_LOST } from "../../domain/job/sentences.ts";
import { documented } from "../../domain/protocol.ts";
import { findBatch } from "../../store/batch/batch.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import { change } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { cancelBatch, cancelJobsOfBatch } from "../../transactions/batch/cancel.ts";
import { createBatchOnce } from "../../transactions/batch/create.ts";
import { batchesLoop } from "./batches.ts";

/** A store with an endpoint, and how to create a batch of one item there and to run the loop. */
async function setUp(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-batches-"));
  const { store, now } = await Fixture.set(
    async () => openSqlite(path.join(folder, "freehold.db")),
    t,
  );
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const create = async (id: string, items: string, total = 1) => {
    const owner = { accountId: "account", endpointId: "e", webhook: null, trace: null };
    const batch = { ...owner, id, total, bytes: items.length, createdAt: now };
    await store.write(createBatchOnce, null, batch, { inline: items });
  };
  const find = async (id: string) => (await store.read(findBatch, id))!;
  const clock = { now: () => now, ticks: () => now, after: () => () => {} };
  const deps = { clock, ids: randomIds, protocol: documented, tracer: null };
  const loopOn = (on: Store) => batchesLoop({ ...deps, store: on });
  return { store, now, create, find, loopOn };
}

const ITEM = '{"policy":{},"input":{}}';

test("a batch that cannot be submitted or cancelled does not hold up later ones", async (t) => {
  const { store, create, find, loopOn } = await setUp(t);
  const stateOf = async (id: string) => (await find(id)).state;
  const item = `[${ITEM}]`;
  const failing = {
    notifier: store.notifier,
    isFull: false,
    read: store.read.bind(store),
    async write(transaction: unknown, ...args: unknown[]) {
      if (transaction === cancelJobsOfBatch) throw new Error("its jobs cannot be cancelled");
      return store.write(transaction as never, ...(args as never));
    },
  } as unknown as Store;
  const loop = loopOn(failing);
  await create("cancelled", item);
  await store.write(cancelBatch, "cancelled");
  await create("without-policy", "[{}]");
  await create("last", item);
  await assert.rejects(loop.run(), /its jobs cannot be cancelled/);
  const states = await Promise.all(["cancelled", "without-policy", "last"].map(stateOf));
  assert.deepEqual(states, ["CANCELLING", "PENDING", "RUNNING"]);
});

test("a batch whose items are not all stored ends with those that are, and later ones begin", async (t) => {
  const { store, now, create, find, loopOn } = await setUp(t);
  await create("short", `[${ITEM},${ITEM}]`, 3);
  await create("empty", `[${ITEM}]`);
  await store.write(forgetItems, "empty");
  await create("later", `[${ITEM}]`);
  const loop = loopOn(store);
  for (let n = 0; n < 3; n++) await loop.run();
  const later = await find("later");
  assert.equal(later.state, "RUNNING");
  const short = await find("short");
  assert.deepEqual([short.state, short.submitted, short.reason], ["RUNNING", 2, ITEMS_LOST]);
  await store.write(cancelJobsOfBatch, "short", now, 10);
  await loop.run();
  for (const id of ["short", "empty"]) {
    const { state, reason } = await find(id);
    assert.deepEqual([id, state, reason], [id, "CANCELLED", ITEMS_LOST]);
  }
  assert.deepEqual((await find("short")).endCounts?.cancelled, 3);
});

function* forgetItems(id: string) {
  yield* change("update batch set items = null, items_payload = 'lost' where id = ?", id);
}
