import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { openSqlite } from "../store/dialect/sqlite/open.ts";
import { settleSetting } from "../store/setting.ts";
import { change, needsNoSync, row, type Verb } from "../store/statement.ts";
import { readUnlessUnchanged } from "./unchanged.ts";

function* look(name: string): Verb<{ value: string | null }> {
  const found = yield* row<{ value: string }>("select value from setting where name = ?", name);
  return { value: found?.value ?? null };
}

/** So much that its sync would not be waited for, had it one. */
function* noteLarge(value: Uint8Array): Verb<void> {
  yield* change("update setting set value = cast(length(?) as text)", value);
  yield* needsNoSync();
}

test("what was read is answered again until something is written, whatever it is", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-unchanged-"));
  const store = openSqlite(path.join(folder, "freehold.db"));
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const read = (name: string) => readUnlessUnchanged(store, name, look, name);
  const first = await read("a");
  assert.equal(await read("a"), first);
  assert.notEqual(await read("b"), first);
  await store.write(settleSetting, "a", "1");
  assert.deepEqual(await read("a"), { value: "1" });
  const again = await read("a");
  await store.write(settleSetting, "other", "1");
  const anew = await read("a");
  assert.notEqual(anew, again);
  assert.deepEqual(anew, again);
  await store.write(noteLarge, Buffer.alloc(1 << 20));
  assert.equal(await read("missing"), await read("missing"), "a write that no sync follows");
});

test("where the store cannot tell, it is read each time", async () => {
  const store = { version: null, read: async () => ({}) } as never;
  const read = () => readUnlessUnchanged(store, "a", look, "a");
  assert.notEqual(await read(), await read());
});
