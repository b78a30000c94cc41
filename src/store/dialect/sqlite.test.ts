// SQLite keeps the laws of the store, and what is its own: durability and one process at a time.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { findJob } from "../job/find.ts";
import { submitJob } from "../job/submit.ts";
import { storeLaws } from "../laws/laws.ts";
import { Stage } from "../laws/stage.ts";
import type { Store } from "../store.ts";
import { openSqlite } from "./sqlite/open.ts";

async function open(t: TestContext): Promise<Store> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-store-"));
  const store = openSqlite(path.join(folder, "freehold.db"));
  t.after(async () => {
    await store.close().catch(() => {});
    rmSync(folder, { recursive: true });
  });
  return store;
}

storeLaws("SQLite", open, { histories: 100, lives: 1_000 });

// PostgreSQL shows a commit to others an instant before its answer is here; what it shows is durable.
test("nothing can be seen before it is answered", async (t) => {
  const stage = await Stage.set(open, t);
  const job = stage.newJob();
  let answered = false;
  const submitted = stage.store.write(submitJob, job).then(() => {
    answered = true;
  });
  while (!answered) {
    const seen = await stage.store.read(findJob, job.id);
    assert.ok(answered || !seen, "it was seen before its caller was answered");
    await new Promise((resolve) => setImmediate(resolve));
  }
  await submitted;
  assert.ok(await stage.store.read(findJob, job.id));
});
