// A test of random operations on a real engine: afterward the database, the inventory and the engine
// agree, and deleted objects have left nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { skipReason } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { agreement, clearAll, operateAtRandom } from "../pods/random-operations.ts";
import { startContainerService } from "./container-service.ts";

const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const env = { FREEHOLD_MACHINE: machine, FREEHOLD_GPUS: '{"NVIDIA A40": 3}' };

test("hundreds of random operations leave no container, volume, port or GPU behind", {
  skip: skipReason,
}, async (t) => {
  const protocol = { endGraceMs: 200, evictGraceMs: 200 };
  const service = await startContainerService(t, { env, protocol });
  const body = {
    imageName: service.shellImage,
    dockerEntrypoint: ["bash", "-c"],
    dockerStartCmd: ["trap 'exit 0' TERM; sleep 1000 & wait"],
    ports: ["7000/tcp"],
    volumeInGb: 1,
    containerDiskInGb: 1,
  };
  t.diagnostic(await operateAtRandom(service, { seed: 3, operations: 200, atOnce: 6, body }));
  await agreement(service);
  const mine = ["--filter", `label=freehold.machine=${service.service.replica.machine}`];
  const pods = (await service.call("GET", "/v1/pods")).json as { desiredStatus: string }[];
  const wanted = pods.filter(({ desiredStatus }) => desiredStatus === "RUNNING");
  // A start that was overtaken by a stop ends a moment later.
  await until(async () => service.containers().length === wanted.length);
  await clearAll(service);
  assert.equal(service.docker("ps", "--all", "--quiet", ...mine), "");
  assert.equal(service.docker("volume", "ls", "--quiet", ...mine), "");
});
