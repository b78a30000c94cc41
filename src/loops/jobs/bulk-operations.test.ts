// The loop of operations on jobs: one that fails does not hold up the others.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Fixture } from "../../../test/conformance/store/fixture.ts";
import { anyJob } from "../../domain/job/job-filter.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import type { Store } from "../../store/engine/store.ts";
import { findJobOperation } from "../../store/job-operation/job-operation.ts";
import { advanceOperation } from "../../transactions/job-operation/advance.ts";
import { startJobOperation } from "../../transactions/job-operation/start.ts";
import { bulkOperationsLoop } from "./bulk-operations.ts";

test("an operation that fails in each pass does not hold up later ones", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-operations-"));
  const { store, now } = await Fixture.set(
    async () => openSqlite(path.join(folder, "freehold.db")),
    t,
  );
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  for (const id of ["fails", "later"]) {
    const request = { id, accountId: "account", action: "cancel", filter: anyJob } as const;
    await store.write(startJobOperation, request, now);
  }
  const failing = {
    read: store.read.bind(store),
    async write(transaction: unknown, id: string, ...args: unknown[]) {
      if (transaction === advanceOperation && id === "fails") throw new Error("a job is broken");
      return store.write(transaction as never, ...([id, ...args] as never));
    },
  } as unknown as Store;
  const clock = { now: () => now, ticks: () => now, after: () => () => {} };
  await assert.rejects(bulkOperationsLoop({ store: failing, clock }).run(), /a job is broken/);
  const stateOf = async (id: string) => (await store.read(findJobOperation, id))?.state;
  assert.deepEqual([await stateOf("fails"), await stateOf("later")], ["RUNNING", "COMPLETED"]);
});
