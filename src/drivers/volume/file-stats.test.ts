// The facts of a page of files are the same from the thread as from calls of their own.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { LocalVolumeFiles } from "./local-volume-files.ts";

test("facts of many files, of which some are missing, links or folders", async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), "freehold-volume-"));
  t.after(() => rmSync(root, { recursive: true }));
  const folder = path.join(root, "f");
  mkdirSync(path.join(folder, "folder"), { recursive: true });
  symlinkSync("/etc/passwd", path.join(folder, "link"));
  const plain = Array.from({ length: 500 }, (_, n) => `k${n}`);
  for (const [n, name] of plain.entries()) writeFileSync(path.join(folder, name), "x".repeat(n));
  const names = ["missing", ...plain, "folder", "link", "k0/below", "x".repeat(300)];
  const place = { root, staging: path.join(root, "staging") };
  const files = new LocalVolumeFiles(place);
  const [one, two] = await Promise.all([files.facts(["f"], names), files.facts(["f"], names)]);
  const single = await Promise.all(
    names.map(async (name) => (await files.facts(["f"], [name]))[0]),
  );
  assert.deepEqual(one, single);
  assert.deepEqual(two, single);
  assert.deepEqual([one[0], one.at(-1), one.at(-2), one.at(-3)], [null, null, null, null]);
  assert.equal(one[500]?.size, 499);
  assert.deepEqual(
    await files.facts(["none"], names),
    names.map(() => null),
  );
});
