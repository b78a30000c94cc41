// Tests that the command starts under the machine's own Node, even if only to hand over to a newer
// one.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { machineEnv as env } from "./machine-node.ts";

const root = path.join(import.meta.dirname, "..", "..");
const bin = path.join(root, "bin", "freehold.mjs");
const none = spawnSync("node", ["--version"], { env }).error && "no node but the one that tests";

test("the command runs under the machine's own Node", { skip: none }, () => {
  const { status, stdout, stderr } = spawnSync("node", [bin, "help"], { env, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^Usage: freehold/);
});

/** npm reaches no registry, and has an empty cache. */
const withoutRegistry = (folder: string) => ({
  ...env,
  npm_config_registry: "http://127.0.0.1:1",
  npm_config_fetch_retries: "0",
  npm_config_cache: path.join(folder, "cache"),
});

function newClone(t: TestContext): string {
  const clone = mkdtempSync(path.join(tmpdir(), "freehold-clone-"));
  t.after(() => rmSync(clone, { recursive: true }));
  cpSync(path.join(root, "bin"), path.join(clone, "bin"), { recursive: true });
  return clone;
}

test("a clone that cannot install its dependencies says what to do", { skip: none }, (t) => {
  const clone = newClone(t);
  for (const name of ["package.json", "package-lock.json"])
    cpSync(path.join(root, name), path.join(clone, name));
  const args = [path.join(clone, "bin", "freehold.mjs"), "up"];
  const { status, stderr } = spawnSync("node", args, {
    env: withoutRegistry(clone),
    encoding: "utf8",
  });
  assert.equal(status, 1);
  assert.match(stderr, /ECONNREFUSED[\s\S]*^freehold: npm ci failed.*without a network, install/m);
});

test("a clone with a Node that is too old and no other says what to do", (t) => {
  const clone = newClone(t);
  mkdirSync(path.join(clone, "node_modules", "fastify"), { recursive: true });
  const old = `Object.defineProperty(process.versions, "node", { value: "20.1.0" })`;
  const before = ["--import", `data:text/javascript,${encodeURIComponent(old)}`];
  const args = [...before, path.join(clone, "bin", "freehold.mjs"), "up"];
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: withoutRegistry(clone),
    encoding: "utf8",
  });
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^freehold: Freehold needs Node 24 or later, .* Install Node 24 or later, or a package of Freehold/m,
  );
});
