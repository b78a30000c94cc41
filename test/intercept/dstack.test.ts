// The Runpod backend of dstack, unmodified, under `freehold intercept`: its addresses are constants.

import assert from "node:assert/strict";
import path from "node:path";
import { testOnBoth } from "../fidelity/both.ts";
import { witness } from "../fidelity/witness.ts";
import { MACHINE } from "../pods/fixture.ts";
import { pythonWithDstack } from "../sdk/python-environment.ts";
import { intercepted } from "./intercepted.ts";

const SCRIPT = path.join(import.meta.dirname, "..", "sdk", "python", "dstack_backend.py");

// biome-ignore lint/suspicious/noExplicitAny: the test reads what the client returned
type Steps = Record<string, any>;

const env = { FREEHOLD_MACHINE: JSON.stringify(MACHINE) };
const options = { env, protocol: { endGraceMs: 500 } };

testOnBoth("dstack 0.22.5: every operation of its Runpod backend", options, async (t, start) => {
  const python = pythonWithDstack(t);
  if (!python) return;
  const service = await start();
  witness(t, service, "PyPI dstack 0.22.5, its Runpod backend");
  const command = ["env", `IMAGE=${service.shellImage}`, python, SCRIPT];
  const steps: Steps = {};
  for (const line of (await intercepted(service, ...command)).trim().split("\n")) {
    const { step, result } = JSON.parse(line);
    steps[step] = result;
  }

  assert.deepEqual([steps.key, steps["wrong key"]], [true, false]);
  assert.deepEqual(steps["GPU types"]["NVIDIA A40"], ["nvidia", "A40"]);

  assert.deepEqual([steps.volume.size, steps.volume.dataCenter], [10, "EU-RO-1"]);
  assert.deepEqual(steps["get volume"], steps.volume);
  assert.deepEqual(steps["list credentials"], [{ id: steps.credentials.id, name: "hub" }]);

  const pod = steps["GPU Pod"];
  assert.deepEqual([pod.image, pod.env], [service.shellImage, { A: "b" }]);
  assert.deepEqual([pod.gpu.id, pod.dataCenterId], ["NVIDIA A40", "EU-RO-1"]);
  assert.deepEqual(pod.mounts.network, [{ volumeId: steps.volume.id, path: "/data" }]);
  assert.equal(steps["get Pod"].id, pod.id);
  assert.equal(steps["private Pod"].registry, steps.credentials.id);
  assert.equal(steps["credentials in use"].raised, "RunpodV2ClientError");
  assert.match(steps["credentials in use"].message, /is used by Pod/);
  assert.match(steps["spot Pod"].machine.podHostId, new RegExp(`^${steps["spot Pod"].id}-`));
  assert.match(steps["no capacity"].message, /^400: .*no instances currently available/);
  assert.deepEqual(steps.terminate, [true, true, true]);
  assert.equal(steps["terminate again"], false);
  assert.equal(steps["get a missing Pod"], null);

  assert.equal(steps.cluster.compute.podCount, 2);
  const ranks = steps["cluster's Pods"].map(({ cluster }: Steps) => cluster!.rank);
  assert.deepEqual(ranks, [0, 1]);
  assert.deepEqual([steps["delete cluster"], steps["delete cluster again"]], [true, false]);

  assert.deepEqual([steps["delete volume"], steps["delete volume again"]], [true, false]);
  assert.equal(steps["get a missing volume"], null);
  assert.equal(steps["delete credentials"], null);
});
