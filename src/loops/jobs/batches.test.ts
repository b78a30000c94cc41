// The loop of batches: one that fails does not hold up the others.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Fixture } from "../../../test/conformance/store/fixture.ts";
import { randomIds } from "../../base/ids.ts";
import { documented } from "../../domain/protocol.ts";
import { findBatch } from "../../store/batch/batch.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import type { Store } from "../../store/engine/store.ts";
import { cancelBatch, cancelJobsOfBatch } from "../../transactions/batch/cancel.ts";
import { createBatchOnce } from "../../transactions/batch/create.ts";
import { batchesLoop } from "./batches.ts";

test("a batch that cannot be submitted or cancelled does not hold up later ones", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-batches-"));
  const { store, now } = await Fixture.set(
    async () => openSqlite(path.join(folder, "freehold.db")),
    t,
  );
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const create = async (id: string, items: string) => {
    const owner = { accountId: "account", endpointId: "e", webhook: null, trace: null };
    const batch = { ...owner, id, total: 1, bytes: items.length, createdAt: now };
    await store.write(createBatchOnce, null, batch, { inline: items });
  };
  const stateOf = async (id: string) => (await store.read(findBatch, id))?.state;
  const item = '[{"policy":{},"input":{}}]';
  const failing = {
    ...{ notifier: store.notifier, isFull: false, read: store.read.bind(store) },
    async write(transaction: unknown, ...args: unknown[]) {
      if (transaction === cancelJobsOfBatch) throw new Error("its jobs cannot be cancelled");
      return store.write(transaction as never, ...(args as never));
    },
  } as unknown as Store;
  const clock = { now: () => now, ticks: () => now, after: () => () => {} };
  const deps = { clock, ids: randomIds, protocol: documented, tracer: null };
  const loop = batchesLoop({ ...deps, store: failing });
  await create("cancelled", item);
  await store.write(cancelBatch, "cancelled");
  await create("without-policy", "[{}]");
  await create("last", item);
  await assert.rejects(loop.run(), /its jobs cannot be cancelled/);
  const states = await Promise.all(["cancelled", "without-policy", "last"].map(stateOf));
  assert.deepEqual(states, ["CANCELLING", "PENDING", "RUNNING"]);
});
