// The staged files of a volume are no part of its used bytes, wherever they are staged, and have sizes of their own. All other files
// are, whatever the names of their folders.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { HIDDEN_STAGING } from "../../domain/s3/object-key.ts";
import { LocalVolumeFiles } from "./local-volume-files.ts";

for (const [where, name] of [
  ["beside the volume", "../freehold-uploads"],
  ["in a hidden folder of the volume", HIDDEN_STAGING],
] as const) {
  test(`files staged ${where}`, async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), "freehold-staged-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const root = path.join(folder, "volume");
    mkdirSync(root);
    const files = new LocalVolumeFiles({ root, staging: path.join(root, name) });
    const before = await files.usedBytes();
    const part = await files.createStaged("part");
    await part.write(Buffer.alloc(1_000_000));
    await part.finish();
    const [only] = await files.staged();
    assert.deepEqual([only!.name, only!.size], ["part", 1_000_000]);
    assert.equal(await files.usedBytes(), before);
  });
}

test("files in a folder of an object that has the hidden folder's name", async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), "freehold-staged-"));
  t.after(() => rmSync(root, { recursive: true }));
  const folder = path.join(root, "models", HIDDEN_STAGING);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "weights"), Buffer.alloc(1_000_000));
  const files = new LocalVolumeFiles({
    root,
    staging: path.join(root, HIDDEN_STAGING),
  });
  assert.ok((await files.usedBytes()) >= 1_000_000);
});
