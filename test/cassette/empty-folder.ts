// An empty folder, removed after the test.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";

export function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-cassette-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
