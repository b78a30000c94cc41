// Tests of workers on a machine where ~/.runpod/config.toml has a key of the original service. The
// SDK prefers that key to the worker's own, so Freehold must hide it.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { pythonWith } from "./python-environment.ts";
import { makePythonEndpoint, runAll, shortTimes } from "./python-worker.ts";

test("a key in the user's home does not override the worker's own key", async (t) => {
  const python = pythonWith(t, "1.12.0");
  if (!python) return;
  const home = mkdtempSync(path.join(tmpdir(), "freehold-home-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(path.join(home, ".runpod"));
  const config = '[default]\napi_key = "the user\'s own key"\n';
  writeFileSync(path.join(home, ".runpod", "config.toml"), config);
  process.env.HOME = home;
  const protocol = { ...shortTimes, refuseHoldMs: 200, startupMs: 10_000 };
  const service = await startService(t, { drivers: "process", protocol });
  const endpoint = await makePythonEndpoint(service, python, "sync");
  const [job] = await runAll(service, endpoint, [{ n: 1 }]);
  assert.deepEqual([job.status, job.output], ["COMPLETED", { n: 1 }]);
});
