// The modules for Testcontainers of both test kits, each with Freehold's image.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { buildTestKit, writeVariables } from "../../bin/release/npm.mjs";
import { pythonWithTestcontainers } from "../sdk/python-environment.ts";

const root = path.join(import.meta.dirname, "..", "..");
// The container that removes others after a crash would be pulled from a registry.
const WITHOUT_REAPER = { TESTCONTAINERS_RYUK_DISABLED: "true" };

const SCRIPT = `import sys
from pytest_freehold.testcontainers import FreeholdContainer
with FreeholdContainer(sys.argv[1]) as freehold:
    job = freehold.call("POST", "/v2/hello/runsync", {"input": {"name": "you"}})
    assert freehold.variables["RUNPOD_ENDPOINT_BASE_URL"] == freehold.url + "/v2"
    print(job["output"]["message"])
`;

export async function typescriptStory(image: string): Promise<void> {
  buildTestKit();
  Object.assign(process.env, WITHOUT_REAPER);
  const module = path.join(root, "dist", "testing", "lib", "testcontainers.js");
  const { FreeholdContainer } = await import(pathToFileURL(module).href);
  const freehold = await new FreeholdContainer(image).start();
  try {
    const job = await freehold.call("POST", "/v2/hello/runsync", { input: { name: "you" } });
    assert.deepEqual(job.output, { message: "Hello, you!" });
    assert.equal(freehold.variables.RUNPOD_ENDPOINT_BASE_URL, `${freehold.url}/v2`);
  } finally {
    await freehold.stop();
  }
}

export async function pythonStory(t: TestContext, image: string): Promise<void> {
  const python = pythonWithTestcontainers(t);
  if (!python) return;
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-kit-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const name = "pytest_freehold";
  cpSync(path.join(root, "packages", "pytest", name), path.join(folder, name), { recursive: true });
  writeVariables(path.join(folder, name, "variables.json"));
  const modules = [folder, path.join(root, "packages", "python")].join(path.delimiter);
  const env = { ...process.env, ...WITHOUT_REAPER, PYTHONPATH: modules };
  const { stdout } = await promisify(execFile)(python, ["-c", SCRIPT, image], { env });
  assert.equal(stdout.trim(), "Hello, you!");
}
