// Tests that ask for a container engine, in both test kits: they run where one answers, are skipped where none does, and
// fail there in CI.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { sharedEngine, skipReason } from "../fixtures/docker/engine.ts";
import { pythonWith } from "../sdk/python-environment.ts";
import { emptyFolder, environment, installNpm, installWheels } from "./installed.ts";

const NO_ENGINE = { DOCKER_HOST: "unix:///no/such/engine.sock" };

const pytestEngine = `import pytest

def test_is_simulated(freehold):
    assert freehold.call("GET", "/v1/machines")[0]["simulated"]

@pytest.mark.freehold_engine
def test_is_not_simulated(freehold):
    assert "simulated" not in freehold.call("GET", "/v1/machines")[0]
`;

test("pytest-freehold asks for a container engine", async (t) => {
  const python = pythonWith(t, "1.12.0");
  const programs = python && installWheels(t, ["freehold", "pytest-freehold"], { python });
  if (!programs) return;
  const folder = emptyFolder(t);
  writeFileSync(path.join(folder, "test_engine.py"), pytestEngine);
  const engineTests = (variables: NodeJS.ProcessEnv) =>
    spawnSync(
      path.join(programs, "python"),
      ["-m", "pytest", "-q", "-rs", "--strict-markers", "test_engine.py"],
      {
        cwd: folder,
        env: { ...environment, ...variables },
        encoding: "utf8",
      },
    ).stdout;
  const skipped = engineTests({ ...NO_ENGINE, CI: "" });
  assert.match(skipped, /no container engine answers at unix:[\s\S]*1 passed, 1 skipped/);
  const inCi = engineTests({ ...NO_ENGINE, CI: "true" });
  assert.match(inCi, /no container engine answers at unix:[\s\S]*1 passed, 1 error/);
  if (!skipReason) {
    const both = engineTests({ DOCKER_HOST: await sharedEngine() });
    assert.match(both, /2 passed/);
  }
});

const engineFile = `import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithoutEngine, startFreehold } from "freehold-testing";
const skip = await skipWithoutEngine();
test("without an engine, no service starts", { skip: !skip }, async () => {
  await assert.rejects(startFreehold({ engine: true }), /no container engine answers at/);
});
test("an image is not simulated", { skip }, async () => {
  const freehold = await startFreehold({ engine: true });
  const [machine] = await freehold.call("GET", "/v1/machines");
  await freehold.stop();
  assert.equal(machine.simulated, undefined);
});
`;

test("freehold-testing asks for a container engine", async (t) => {
  const folder = emptyFolder(t);
  installNpm(folder, "freehold", "freehold-worker", "freehold-testing");
  writeFileSync(path.join(folder, "engine.test.mjs"), engineFile);
  const run = (variables: NodeJS.ProcessEnv) =>
    spawnSync(process.execPath, ["--test", "engine.test.mjs"], {
      cwd: folder,
      env: { ...environment, ...variables },
      encoding: "utf8",
    }).stdout;
  const without = run({ ...NO_ENGINE, CI: "" });
  assert.match(without, /pass 1\n[\s\S]*skipped 1\n/);
  assert.match(run({ ...NO_ENGINE, CI: "true" }), /no container engine answers at[\s\S]*fail 1\n/);
  if (!skipReason) assert.match(run({ DOCKER_HOST: await sharedEngine() }), /pass 1\n/);
});
