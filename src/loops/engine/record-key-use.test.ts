// When a key was last used, from the note of a request to the row that is shown.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Fixture } from "../../../test/conformance/store/fixture.ts";
import { VirtualClock } from "../../base/clock.ts";
import { everything } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { KeyUse } from "../../flows/account/key-use.ts";
import { findKey, insertKey } from "../../store/api-key/api-key.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import type { Store } from "../../store/engine/store.ts";
import { noteKeyUseLoop } from "./record-key-use.ts";

test("uses are written once per pass, the latest of each key, and never backward", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-keys-"));
  const { store, now } = await Fixture.set(async () => openSqlite(path.join(folder, "f.db")), t);
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const key = { accountId: "account", name: "k", hint: "k", member: null, permissions: everything };
  for (const id of ["a", "b"]) {
    await store.write(insertKey, { ...key, id, createdAt: now, disabledAt: null }, id);
  }
  const lastOf = async (id: string) => (await store.read(findKey, id, "account"))?.lastUsedAt;
  const clock = new VirtualClock(now);
  const uses = new KeyUse(clock);
  const loop = noteKeyUseLoop({ store, uses, s3Uses: new KeyUse(clock) });
  const { version } = store;
  await loop.run();
  assert.equal(store.version, version, "where nothing was used nothing is written");
  uses.note("a");
  await clock.advance(4);
  uses.note("a");
  await loop.run();
  assert.deepEqual([await lastOf("a"), await lastOf("b")], [now + 4, null]);
  await clock.advance(1);
  // Uses that could not be written are written by the next pass.
  uses.note("a");
  const away = { write: () => Promise.reject(new Fault("store_unavailable")) } as unknown as Store;
  const unwritten = noteKeyUseLoop({ store: away, uses, s3Uses: new KeyUse(clock) });
  await assert.rejects(unwritten.run());
  await loop.run();
  assert.equal(await lastOf("a"), now + 5);
  // Another replica has heard of it later, and writes first.
  const late = new KeyUse(clock);
  late.note("b");
  await clock.advance(10);
  uses.note("b");
  await loop.run();
  await noteKeyUseLoop({ store, uses: late, s3Uses: new KeyUse(clock) }).finish?.();
  assert.equal(await lastOf("b"), now + 15);
});
