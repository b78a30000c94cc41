// Tests that the command starts under the machine's own Node, even if only to hand over to a newer
// one.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { machineEnv as env } from "./machine-node.ts";

const bin = path.join(import.meta.dirname, "..", "..", "bin", "freehold.mjs");
const none = spawnSync("node", ["--version"], { env }).error && "no node but the one that tests";

test("the command runs under the machine's own Node", { skip: none }, () => {
  const { status, stdout, stderr } = spawnSync("node", [bin, "help"], { env, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^Usage: freehold/);
});
