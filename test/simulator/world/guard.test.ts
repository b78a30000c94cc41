// The guard of a simulation's folder, with another program in the place of a PostgreSQL server.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";

test("once the simulation has ended, so have its servers and its folder", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-guard-"));
  mkdirSync(path.join(folder, "f-1", "data"), { recursive: true });
  const server = spawn("sleep", ["600"], { stdio: "ignore" });
  writeFileSync(path.join(folder, "f-1", "data", "postmaster.pid"), `${server.pid}\n/data\n`);
  const guard = spawn("sh", [path.join(import.meta.dirname, "guard.sh"), folder], {
    stdio: ["pipe", "inherit", "inherit"],
  });
  const ended = [once(server, "exit"), once(guard, "exit")];
  guard.stdin.end();
  const [[, signal], [code]] = (await Promise.all(ended)) as [[null, string], [number]];
  assert.deepEqual({ signal, code }, { signal: "SIGQUIT", code: 0 });
  assert.ok(!existsSync(folder));
});
