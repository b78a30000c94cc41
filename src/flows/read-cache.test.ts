import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { openSqlite } from "../store/engine/sqlite/open.ts";
import { change, needsNoSync, row, type Tx } from "../store/engine/statement.ts";
import { ensureSetting } from "../store/setting/setting.ts";
import { readCached } from "./read-cache.ts";

function* readValue(name: string): Tx<{ value: string | null }> {
  const found = yield* row<{ value: string }>("select value from setting where name = ?", name);
  return { value: found?.value ?? null };
}

function* readNothing(..._args: unknown[]): Tx<void> {}

/** So much that its sync would not be waited for, had it one. */
function* noteLarge(value: Uint8Array): Tx<void> {
  yield* change("update setting set value = cast(length(?) as text)", value);
  yield* needsNoSync();
}

test("a result is cached until anything is written", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-unchanged-"));
  const store = openSqlite(path.join(folder, "freehold.db"));
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const read = (name: string) => readCached(store, "value", readValue, name);
  const first = await read("a");
  assert.equal(await read("a"), first);
  assert.notEqual(await read("b"), first);
  await store.write(ensureSetting, "a", "1");
  assert.deepEqual(await read("a"), { value: "1" });
  const again = await read("a");
  await store.write(ensureSetting, "other", "1");
  const anew = await read("a");
  assert.notEqual(anew, again);
  assert.deepEqual(anew, again);
  await store.write(noteLarge, Buffer.alloc(1 << 20));
  assert.equal(await read("missing"), await read("missing"), "a write that no sync follows");
});

test("each list of arguments has its own result", async () => {
  const store = { version: 1, read: async () => ({}) } as never;
  const read = (...args: unknown[]) => readCached(store, "page", readNothing, ...args);
  const lists = [[null], ["null"], [null, 1], [1, 2], ["1, 2"], [{ a: null }], [{ a: "null" }]];
  const results = [];
  for (const args of lists) {
    const result = await read(...args);
    assert.equal(await read(...args), result);
    results.push(result);
  }
  assert.equal(new Set(results).size, lists.length);
});

test("without a store version, every read goes to the store", async () => {
  const store = { version: null, read: async () => ({}) } as never;
  const read = () => readCached(store, "a", readValue, "a");
  assert.notEqual(await read(), await read());
});
