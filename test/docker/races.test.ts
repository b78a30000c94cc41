// Random operations on a real engine: in the end database, inventory and engine agree, and nothing is
// left of what was deleted.

import assert from "node:assert/strict";
import { test } from "node:test";
import { missing } from "../../src/drivers/docker/engine.testing.ts";
import { agreement, clearAll, operateAtRandom } from "../pods/random-operations.ts";
import { startContainerHouse } from "./container-house.ts";

const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const env = { FREEHOLD_MACHINE: machine, FREEHOLD_VIRTUAL_GPUS: '{"NVIDIA A40": 3}' };

test("hundreds of random operations leave no container, volume, port or GPU behind", {
  skip: missing,
}, async (t) => {
  const protocol = { endGraceMs: 200, evictGraceMs: 200 };
  const house = await startContainerHouse(t, { env, protocol });
  const body = {
    imageName: house.shellImage,
    dockerEntrypoint: ["bash", "-c"],
    dockerStartCmd: ["trap 'exit 0' TERM; sleep 1000 & wait"],
    ports: ["7000/tcp"],
    volumeInGb: 1,
    containerDiskInGb: 1,
  };
  t.diagnostic(await operateAtRandom(house, { seed: 3, operations: 200, atOnce: 6, body }));
  await agreement(house);
  const mine = ["--filter", `label=freehold.installation=${house.house.replica.machine}`];
  const pods = (await house.call("GET", "/v1/pods")).json as { desiredStatus: string }[];
  const wanted = pods.filter(({ desiredStatus }) => desiredStatus === "RUNNING");
  assert.equal(house.containers().length, wanted.length);
  await clearAll(house);
  assert.equal(house.docker("ps", "--all", "--quiet", ...mine), "");
  assert.equal(house.docker("volume", "ls", "--quiet", ...mine), "");
});
