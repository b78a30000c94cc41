// The audit entry of a change whose transaction runs more than once, on a real store.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Fixture } from "../../../test/conformance/store/fixture.ts";
import { VirtualClock } from "../../base/clock.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import { rows } from "../../store/engine/statement.ts";
import { insertSshKey } from "../../store/ssh-key/ssh-key.ts";
import { StorageQuota } from "../storage-quota.ts";
import { type AuditAction, AuditedStore, runAudited } from "./action.ts";

function* operations() {
  const found = yield* rows<{ operation: string; resource_id: string }>(
    "select operation, resource_id from audit order by seq",
  );
  return found.map((each) => `${each.operation} ${each.resource_id}`);
}

function actionOf(operation: string): AuditAction {
  const actor = { kind: "key" as const, keyId: "k" };
  const resource = { resourceType: "sshKey", resourceId: "" };
  return { accountId: "account", actor, via: "rest", operation, ...resource, address: "" };
}

test("a change that runs again after another call of its batch failed keeps its entry", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-audit-"));
  const fixture = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await fixture.store.close();
    rmSync(folder, { recursive: true });
  });
  const clock = new VirtualClock();
  const quota = new StorageQuota({ store: fixture.store, clock }, null);
  const store = new AuditedStore(fixture.store, clock, quota);
  const add = (id: string, isFull = false) =>
    store.write(function* () {
      const texts = { name: id, publicKey: id, fingerprint: id, labels: {} };
      const key = { id, accountId: "account", member: null, createdAt: fixture.now, ...texts };
      yield* insertSshKey(key);
      if (isFull) throw new Error("full");
      return key;
    });
  const results = await Promise.allSettled([
    runAudited(actionOf("add"), () => add("a")),
    runAudited(actionOf("fail"), () => add("b", true)),
    // Whichever write is first in the transaction that commits has the entry.
    runAudited(actionOf("addTwo"), () => Promise.allSettled([add("c", true), add("d"), add("e")])),
    runAudited(actionOf("retry"), () => add("f", true).catch(() => add("g"))),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled", "fulfilled"],
  );
  assert.deepEqual(await store.read(operations), ["add a", "addTwo d", "retry g"]);
});
