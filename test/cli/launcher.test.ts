// The command must work under whatever Node the machine has, were it only to hand over to a newer.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";

const bin = path.join(import.meta.dirname, "..", "..", "bin", "freehold.mjs");

/** The search path without the folders that npm adds, where the newer Node stands. */
const machinePath = (process.env.PATH ?? "")
  .split(path.delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .join(path.delimiter);

test("the machine's own Node runs the command", () => {
  const env = { ...process.env, PATH: machinePath };
  const found = spawnSync("node", ["--version"], { env, encoding: "utf8" });
  const node = found.status === 0 ? "node" : process.execPath;
  const { status, stdout, stderr } = spawnSync(node, [bin, "help"], { env, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^Usage: freehold/);
});
