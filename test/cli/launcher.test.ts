// The command must work under whatever Node the machine has, were it only to hand over to a newer.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { machineEnv as env } from "./machine-node.ts";

const bin = path.join(import.meta.dirname, "..", "..", "bin", "freehold.mjs");
const none = spawnSync("node", ["--version"], { env }).error && "no node but the one that tests";

test("the machine's own Node runs the command", { skip: none }, () => {
  const { status, stdout, stderr } = spawnSync("node", [bin, "help"], { env, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^Usage: freehold/);
});
