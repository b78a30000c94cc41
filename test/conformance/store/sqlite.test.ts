// The store's conformance suites on SQLite, and what only SQLite guarantees.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { openSqlite } from "../../../src/store/engine/sqlite/open.ts";
import type { Store } from "../../../src/store/engine/store.ts";
import { findJob } from "../../../src/store/job/find.ts";
import { submitJob } from "../../../src/transactions/job/submit.ts";
import { copyTemplate } from "../../fixtures/service/sqlite-template.ts";
import { storeConformance } from "./conformance.ts";
import { Fixture } from "./fixture.ts";

async function open(t: TestContext): Promise<Store> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-store-"));
  const file = path.join(folder, "freehold.db");
  await copyTemplate(file);
  const store = openSqlite(file);
  t.after(async () => {
    await store.close().catch(() => {});
    rmSync(folder, { recursive: true });
  });
  return store;
}

storeConformance("SQLite", open, { histories: 100, lives: 1_000, sorted: false });

// On PostgreSQL a commit is visible to others an instant before the answer arrives; what is visible
// is durable.
test("nothing is visible before it is answered", async (t) => {
  const fixture = await Fixture.set(open, t);
  const job = fixture.newJob();
  let answered = false;
  const submitted = fixture.store.write(submitJob, job).then(() => {
    answered = true;
  });
  while (!answered) {
    const visible = await fixture.store.read(findJob, job.id, fixture.now);
    assert.ok(answered || !visible, "it was visible before its caller was answered");
    await new Promise((resolve) => setImmediate(resolve));
  }
  await submitted;
  assert.ok(await fixture.store.read(findJob, job.id, fixture.now));
});
