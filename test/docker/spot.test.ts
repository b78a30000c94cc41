// A spot Pod in a real container gives way: SIGTERM, its grace, EXITED, and its volume is still there.

import assert from "node:assert/strict";
import { test } from "node:test";
import { missing } from "../../src/drivers/docker/engine.testing.ts";
import { podsOf, until } from "../pods/stage.ts";
import { startContainerHouse } from "./container-house.ts";

const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const env = { FREEHOLD_MACHINE: machine, FREEHOLD_VIRTUAL_GPUS: '{"NVIDIA A40": 1}' };
const options = { env, protocol: { endGraceMs: 500, evictGraceMs: 1_500 } };
const shell = (script: string) => ({ dockerEntrypoint: ["bash", "-c"], dockerStartCmd: [script] });

test("one call rents the GPU of a spot Pod that ignores SIGTERM, and its volume is kept", {
  skip: missing,
}, async (t) => {
  const house = await startContainerHouse(t, options);
  const begun = Date.now();
  const pods = podsOf(house);
  const body = { imageName: house.shellImage, volumeInGb: 1, containerDiskInGb: 1, ports: [] };
  const stubborn =
    "trap 'echo asked to go' TERM; ls /workspace; echo kept > /workspace/file; " +
    "echo here to stay; while :; do sleep 0.1; done";
  const rent = async (more: object) =>
    (await house.call("POST", "/v1/pods", { ...body, ...more })).json;
  const spot = await rent({ ...shell(stubborn), interruptible: true });
  await until(pods.reached, spot.id);
  await until(async (id) => (await lines(id)).includes("here to stay") || null, spot.id);
  const [evicted] = house.containers();

  const rich = await rent(shell("sleep 1000"));
  assert.equal(rich.desiredStatus, "RUNNING");
  assert.equal((await pods.get(spot.id)).desiredStatus, "EXITED");
  await until(pods.reached, rich.id);
  const [running] = house.containers();
  const order = house.events(begun);
  assert.ok(order.includes(`die ${evicted}`), order.join("\n"));
  assert.ok(order.indexOf(`die ${evicted}`) < order.indexOf(`start ${running}`));
  await until(async (id) => (await lines(id)).includes("asked to go") || null, spot.id);

  await house.call("DELETE", `/v1/pods/${rich.id}`);
  assert.equal((await house.call("POST", `/v1/pods/${spot.id}/start`)).status, 200);
  await until(async (id) => (await lines(id)).includes("file") || null, spot.id);

  async function lines(id: string): Promise<string[]> {
    const { status, json } = await house.call("GET", `/v1/pods/${id}/logs`);
    // A container that is just being removed may not be read.
    return status !== 200 ? [] : json.map(({ text }: { text: string }) => text);
  }
});
