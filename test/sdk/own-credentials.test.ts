// Whoever has used the original service has its key in ~/.runpod/config.toml, and the SDK sends that
// one instead of the key its worker was given. Workers must come up on such a machine all the same.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { startHouse } from "../house.ts";
import { pythonWith } from "./python-environment.ts";
import { makePythonEndpoint, runAll, shortTimes } from "./python-worker.ts";

test("a key in the user's home does not keep workers from their own", async (t) => {
  const python = pythonWith(t, "1.12.0");
  if (!python) return;
  const home = mkdtempSync(path.join(tmpdir(), "freehold-home-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(path.join(home, ".runpod"));
  const config = '[default]\napi_key = "the user\'s own key"\n';
  writeFileSync(path.join(home, ".runpod", "config.toml"), config);
  process.env.HOME = home;
  const protocol = { ...shortTimes, refuseHoldMs: 200, startupMs: 10_000 };
  const house = await startHouse(t, { drivers: "process", protocol });
  const endpoint = await makePythonEndpoint(house, python, "sync");
  const [job] = await runAll(house, endpoint, [{ n: 1 }]);
  assert.deepEqual([job.status, job.output], ["COMPLETED", { n: 1 }]);
});
