// The management functions of runpod 2.0.0rc2, which speak REST v2.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { testOnBoth } from "../fidelity/both.ts";
import { witness } from "../fidelity/witness.ts";
import { MACHINE } from "../pods/fixture.ts";
import { pythonWith } from "./python-environment.ts";

const SCRIPT = path.join(import.meta.dirname, "python", "management.py");
const PUBLIC_KEY =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO3Fn0GBMrjSTBXr3qyRZqTwFfmGuYrQGJkPLR1xKwqG ada@example.org";
const GPU = "NVIDIA GeForce RTX 4090";

// biome-ignore lint/suspicious/noExplicitAny: the test reads what the SDK returned
type Steps = Record<string, any>;

const options = {
  env: { FREEHOLD_MACHINE: JSON.stringify(MACHINE), FREEHOLD_GPUS: `{"${GPU}": 4}` },
  protocol: { endGraceMs: 200 },
};

testOnBoth("runpod 2.0.0rc2: every management function", options, async (t, start) => {
  const python = pythonWith(t, "2.0.0rc2");
  if (!python) return;
  const service = await start();
  witness(t, service, "PyPI runpod 2.0.0rc2, its management functions");
  const settings = {
    name: "shell",
    imageName: service.shellImage,
    env: { FROM: "template" },
  };
  const { id: TEMPLATE } = (await service.call("POST", "/v1/templates", settings)).json;
  const env = {
    PATH: process.env.PATH,
    RUNPOD_API_KEY: service.key,
    RUNPOD_API_BASE_URL: service.origin,
    PUBLIC_KEY,
    TEMPLATE,
  };
  const { stdout } = await promisify(execFile)(python, [SCRIPT], { env });
  const steps: Steps = {};
  for (const line of stdout.trim().split("\n")) {
    const { step, result } = JSON.parse(line);
    steps[step] = result;
  }

  assert.match(steps.user.id, /^user_/);
  assert.ok(steps.gpus.some(({ id }: { id: string }) => id === GPU));
  assert.equal(steps.gpu.id, GPU);
  assert.notEqual(steps.gpu.availability, "NONE");
  assert.equal(steps["unknown gpu"].raised, "ValueError");
  assert.equal(steps["ssh keys"].id, steps.user.id);

  assert.deepEqual(steps["pod template"].cmd, ["serve", "--port", "8888"]);
  assert.deepEqual(steps["pod template"].mounts.persistent, { size: 20, path: "/workspace" });
  assert.deepEqual(steps.pod.env, { FROM: "template", OWN: "2" });
  assert.deepEqual(steps.pod.mounts, { persistent: { size: 20, path: "/runpod-volume" } });
  assert.equal(steps["cpu pod"].cpu.vcpuCount, 2);
  assert.deepEqual(
    steps.pods.map(({ id }: { id: string }) => id),
    [steps["cpu pod"].id, steps.pod.id],
  );
  assert.equal(steps.stop.status, "EXITED");
  assert.match(steps.resume.status, /PROVISIONING|STARTING|RUNNING/);
  assert.equal(steps["resume again"].raised, "QueryError");
  assert.equal(steps.terminate, null);
  assert.equal(steps.terminated, null);
  assert.equal(steps["no capacity"].raised, "QueryError");
  assert.match(
    steps["no capacity"].message,
    /resources to deploy your pod|insufficient capacity|no available machine|out of stock/i,
  );

  assert.equal(steps.registry.name, "hub");
  assert.equal(steps["registry update"].id, steps.registry.id);
  assert.equal(steps["registry delete"], true);

  assert.deepEqual(steps.endpoint.workers, { min: 0, max: 0, idleTimeout: 5 });
  assert.equal(steps.endpoint.flashboot, "FLASHBOOT");
  assert.match(steps["endpoint update"].image, /image:1-2$/);
  assert.deepEqual(
    steps.endpoints.map(({ id }: { id: string }) => id),
    [steps.endpoint.id],
  );
});
