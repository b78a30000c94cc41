// Tests that the generated types of the GraphQL schema match the committed SDL.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";

const root = path.join(import.meta.dirname, "..", "..");

test("the generated types are up to date", () => {
  const script = path.join(root, "bin", "codegen.mjs");
  const { status, stderr } = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
});
