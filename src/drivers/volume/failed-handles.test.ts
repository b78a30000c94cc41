// A file or folder of a volume that cannot be given to the volume's owner is closed again, and leaves nothing in the staging area.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { FolderHandle } from "./folder-handle.ts";
import { createStaged } from "./staged-file.ts";

/** No system has a user of this number. */
const NOBODY = 2 ** 40;

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-handles-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Whether this process has the file or folder open. */
function isOpen(target: string): boolean {
  return readdirSync("/proc/self/fd").some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(target);
    } catch {
      return false; // it was closed meanwhile
    }
  });
}

test("a staged file that cannot get its owner is closed and removed", async (t) => {
  const file = path.join(newFolder(t), "part");
  const owner = { uid: NOBODY, gid: 0, writeBits: 0 };
  await assert.rejects(createStaged(file, owner, async () => {}));
  assert.deepEqual([isOpen(file), existsSync(file)], [false, false]);
});

test("a new folder that cannot get its owner leaves no handle open", async (t) => {
  const root = newFolder(t);
  const folder = await FolderHandle.root(root);
  folder.owner.uid = NOBODY;
  await assert.rejects(folder.childOrNew("child"));
  await folder.close();
  assert.equal(isOpen(root), false);
});
