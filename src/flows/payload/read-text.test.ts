import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { countPasses } from "../../../test/fixtures/time/count-passes.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import type { Store } from "../../store/engine/store.ts";
import { bindText, dropPayload, PIECE_BYTES } from "../../store/payload/payload.ts";
import { joinTextArray } from "./join-text.ts";
import { type ReadText, readText } from "./read-text.ts";
import { storeText } from "./store-text.ts";

const long = Buffer.from(JSON.stringify("x".repeat(9.5 * PIECE_BYTES)));

/** A store with a text of ten pieces, as the payload "p". */
async function storeWithText(t: TestContext): Promise<Store> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-test-"));
  const store = openSqlite(path.join(folder, "t.db"));
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const ids = { short: () => "p", uuid: () => "p" };
  const clock = { now: () => 1, at: () => () => {} };
  const text = await storeText({ store, clock, ids } as never, long);
  await store.write(bindText, text, 1);
  return store;
}

async function partsOf(text: ReadText | null): Promise<AsyncIterator<Uint8Array>> {
  assert.ok(text && "pieces" in text);
  return text.pieces()[Symbol.asyncIterator]();
}

test("a long text is read completely, piece by piece", async (t) => {
  const store = await storeWithText(t);
  const text = await readText(store, { inline: null, payload: "p" }, "j");
  assert.equal(text && "bytes" in text && text.bytes, long.length);
  const parts = await partsOf(text);
  const pieces: Uint8Array[] = [];
  for (let next = await parts.next(); !next.done; next = await parts.next())
    pieces.push(next.value);
  assert.equal(pieces.length, 10);
  assert.deepEqual(Buffer.concat(pieces), long);
});

test("a deleted text is reported as a missing job", async (t) => {
  const store = await storeWithText(t);
  await store.write(dropPayload, "p");
  await assert.rejects(readText(store, { inline: null, payload: "p" }, "j"), {
    code: "job_not_found",
  });
});

test("a text that is deleted while it is read fails instead of ending early", async (t) => {
  const store = await storeWithText(t);
  const parts = await partsOf(await readText(store, { inline: null, payload: "p" }, "j"));
  await parts.next();
  await store.write(dropPayload, "p");
  await assert.rejects(parts.next(), /were deleted while the text was sent/);
});

/** Reads a text to its end; returns how many passes of the event loop that took. */
async function passesOf(text: ReadText | null): Promise<number> {
  const parts = await partsOf(text);
  return countPasses(async () => {
    while (!(await parts.next()).done);
  });
}

test("a long text is read in slices, between which other work runs", async (t) => {
  const store = await storeWithText(t);
  const passes = await passesOf(await readText(store, { inline: null, payload: "p" }, "j"));
  assert.ok(passes >= 2, `${passes} passes`);
});

test("many texts that are no slice each are read in slices together", async () => {
  async function* pieces() {
    yield Buffer.alloc(PIECE_BYTES);
  }
  const each: ReadText = { bytes: PIECE_BYTES, pieces };
  const passes = await passesOf(joinTextArray(Array.from({ length: 40 }, () => each)));
  assert.ok(passes >= 8, `${passes} passes`);
});
