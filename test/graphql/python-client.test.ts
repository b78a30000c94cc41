// Tests with the public Python package, unmodified: its API functions and its command line.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { startContainerService } from "../docker/container-service.ts";
import { testOnBoth } from "../fidelity/both.ts";
import { witness } from "../fidelity/witness.ts";
import { skipReason } from "../fixtures/docker/engine.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { MACHINE, simulatedService } from "../pods/fixture.ts";
import { pythonWith } from "../sdk/python-environment.ts";

const SCRIPT = path.join(import.meta.dirname, "python", "api.py");
const ED25519 =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2xUqKQ5b4r3pCk8F1dX0e9mQv7ZrS6tYwLhNa0KcVd me@here";
const run = promisify(execFile);

/** A home folder for the test, so that no user's configuration is read or written. */
function environment(t: TestContext, service: TestService): Record<string, string> {
  const home = mkdtempSync(path.join(tmpdir(), "freehold-home-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    KEY: service.key,
    RUNPOD_API_BASE_URL: service.origin,
    RUNPOD_ENDPOINT_BASE_URL: `${service.origin}/v2`,
  };
}

async function runClient(t: TestContext, service: TestService, python: string, how: object) {
  const env = { ...environment(t, service), HOW: JSON.stringify(how), PUBLIC_KEY: ED25519 };
  const { stdout } = await run(python, [SCRIPT], { timeout: 300_000, env });
  return JSON.parse(stdout.trim().split("\n").at(-1)!);
}

function isAsDocumented({ gpus, user, ...results }: Record<string, unknown>): void {
  assert.ok((gpus as number) > 40);
  assert.deepEqual(user, ["id", "networkVolumes", "pubKey"]);
  assert.deepEqual(results, {
    gpu: ["NVIDIA A40", 0.7, true],
    "unknown gpu": results["unknown gpu"],
    created: [["A=b"], true, true],
    up: ["RUNNING", 1, "A40"],
    listed: [true],
    "no pod": null,
    stopped: "EXITED",
    resumed: "RUNNING",
    deleted: null,
    "unknown pod": "QueryError: There is no Pod nope.",
    "no capacity": "QueryError: create pod: There are no instances currently available.",
    template: ["tt", "python -u handler.py", [{ key: "B", value: "c" }]],
    endpoint: ["eee", "AMPERE_48", "FLASHBOOT"],
    updated: true,
    endpoints: [true],
    auth: ["hub", "hub"],
    settings: true,
    "bad key": "AuthenticationError: Unauthorized request, please check your API key.",
  });
  assert.match(String(results["unknown gpu"]), /^ValueError: No GPU found/);
}

test("runpod 1.12.0: its API functions, on simulated GPUs", async (t) => {
  const python = pythonWith(t, "1.12.0");
  if (!python) return;
  const service = await simulatedService(t);
  witness(t, service, "PyPI runpod 1.12.0, its API functions");
  const template = { name: "pods", imageName: "img", driver: "simulated" };
  const { json } = await service.call("POST", "/v1/templates", template);
  isAsDocumented(await runClient(t, service, python, { template_id: json.id }));
});

test("runpod 1.12.0: its API functions, on containers", { skip: skipReason }, async (t) => {
  const python = pythonWith(t, "1.12.0");
  if (!python) return;
  const env = { FREEHOLD_MACHINE: JSON.stringify(MACHINE) };
  const service = await startContainerService(t, { env, protocol: { endGraceMs: 500 } });
  witness(t, service, "PyPI runpod 1.12.0, its API functions");
  isAsDocumented(await runClient(t, service, python, { image_name: service.shellImage }));
});

const options = {
  env: { FREEHOLD_MACHINE: JSON.stringify(MACHINE) },
  protocol: { endGraceMs: 200 },
};

testOnBoth("runpod 1.12.0: its command line", options, async (t, start) => {
  const python = pythonWith(t, "1.12.0");
  if (!python) return;
  const service = await start();
  witness(t, service, "PyPI runpod 1.12.0, its command line");
  const env = environment(t, service);
  const answers = (text: string, ...args: string[]) => {
    const program = path.join(path.dirname(python), "runpod");
    const running = run(program, args, { timeout: 300_000, env });
    running.child.stdin?.end(text);
    return running.then(({ stdout }) => stdout);
  };
  const runpod = (...args: string[]) => answers("", ...args);
  await runpod("config", service.key);
  assert.match(await runpod("config", "--check"), /saved|set|valid/i);
  const { json: pod } = await service.call("POST", "/v1/pods", {
    imageName: service.shellImage,
    dockerStartCmd: ["sleep", "1000"],
    name: "listed",
  });
  const table = await runpod("pod", "list");
  for (const word of [pod.id, "listed", "RUNNING", service.shellImage])
    assert.ok(table.includes(word), table);
  await answers("y\nlaptop\n", "ssh", "add-key");
  assert.match(await runpod("ssh", "list-keys"), /laptop.*ssh-rsa.*SHA256:/);
});
