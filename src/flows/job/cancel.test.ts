import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Fixture } from "../../../test/conformance/store/fixture.ts";
import { VirtualClock } from "../../base/clock.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import type { Store } from "../../store/engine/store.ts";
import { purge } from "./cancel.ts";

test("a purge ends although jobs are submitted as fast as it cancels them", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-purge-"));
  const fixture = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  const { store, now } = fixture;
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  await fixture.submitAll(200, {});
  const [delayed] = await fixture.submitAll(1, { startAt: now + 60_000 });
  const later: string[] = [];
  const submitting = {
    read: store.read.bind(store),
    async write(...call: unknown[]) {
      assert.ok(later.length < 600, "it goes on with jobs that were submitted later");
      const result = await store.write(...(call as Parameters<Store["write"]>));
      later.push(...(await fixture.submitAll(200, { priority: 1 })));
      return result;
    },
  } as unknown as Store;
  assert.equal(await purge({ store: submitting, clock: new VirtualClock(now) }, "e"), 201);
  assert.equal((await fixture.job(delayed!)).state, "CANCELLED");
  for (const id of later) assert.equal((await fixture.job(id)).state, "IN_QUEUE");
});
