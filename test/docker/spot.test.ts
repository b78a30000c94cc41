// A test of the eviction of a spot Pod in a container: SIGTERM, grace period, EXITED, volume kept.

import assert from "node:assert/strict";
import { test } from "node:test";
import { skipReason } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { startContainerService } from "./container-service.ts";

const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const env = { FREEHOLD_MACHINE: machine, FREEHOLD_GPUS: '{"NVIDIA A40": 1}' };
const options = { env, protocol: { endGraceMs: 500, evictGraceMs: 1_500 } };
const shell = (script: string) => ({ dockerEntrypoint: ["bash", "-c"], dockerStartCmd: [script] });

test("a Pod gets the GPU of a spot Pod that ignores SIGTERM, whose volume is kept", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t, options);
  const begun = Date.now();
  const pods = podsOf(service);
  const body = { imageName: service.shellImage, volumeInGb: 1, containerDiskInGb: 1, ports: [] };
  const stubborn =
    "trap 'echo asked to go' TERM; ls /workspace; echo kept > /workspace/file; " +
    "echo here to stay; while :; do sleep 0.1; done";
  const rent = async (more: object) =>
    (await service.call("POST", "/v1/pods", { ...body, ...more })).json;
  const spot = await rent({ ...shell(stubborn), interruptible: true });
  await until(pods.reached, spot.id);
  await until(async (id) => (await lines(id)).includes("here to stay") || null, spot.id);
  const [evicted] = service.containers();

  const rich = await rent(shell("sleep 1000"));
  assert.equal(rich.desiredStatus, "RUNNING");
  assert.equal((await pods.get(spot.id)).desiredStatus, "EXITED");
  await until(pods.reached, rich.id);
  const [running] = service.containers();
  const order = service.events(begun);
  assert.ok(order.includes(`die ${evicted}`), order.join("\n"));
  assert.ok(order.indexOf(`die ${evicted}`) < order.indexOf(`start ${running}`));
  await until(async (id) => (await lines(id)).includes("asked to go") || null, spot.id);

  await service.call("DELETE", `/v1/pods/${rich.id}`);
  assert.equal((await service.call("POST", `/v1/pods/${spot.id}/start`)).status, 200);
  await until(async (id) => (await lines(id)).includes("file") || null, spot.id);

  async function lines(id: string): Promise<string[]> {
    const { status, json } = await service.call("GET", `/v1/pods/${id}/logs`);
    // A container that is just being removed may not be read.
    return status !== 200 ? [] : json.map(({ text }: { text: string }) => text);
  }
});
