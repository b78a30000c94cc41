// Network volumes in containers of a real engine: what one Pod wrote the next one reads, workers find
// it too, and once it is deleted nothing is left on the engine.

import assert from "node:assert/strict";
import { test } from "node:test";
import { missing } from "../../src/drivers/docker/engine.testing.ts";
import { podsOf, until } from "../pods/stage.ts";
import { type ContainerHouse, startContainerHouse } from "./container-house.ts";

const small = { computeType: "CPU", vcpuCount: 2, containerDiskInGb: 1 };
const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const options = { env: { FREEHOLD_MACHINE: machine }, protocol: { endGraceMs: 500 } };
const shell = (script: string) => ({ dockerEntrypoint: ["bash", "-c"], dockerStartCmd: [script] });

const logOf = async (house: ContainerHouse, path: string): Promise<string[]> =>
  (await house.call("GET", `${path}/logs`)).json.map(({ text }: { text: string }) => text);

const prints = (house: ContainerHouse, path: string, line: string) =>
  until(async () => (await logOf(house, path)).includes(line) || null, "");

test("data outlives its Pods, is there for workers, and goes with the volume", {
  skip: missing,
}, async (t) => {
  const house = await startContainerHouse(t, options);
  const body = { name: "data", size: 1, dataCenterId: "EU-RO-1" };
  const { json: volume } = await house.call("POST", "/v1/networkvolumes", body);
  const engines = () =>
    house
      .docker("volume", "ls", "--quiet")
      .split("\n")
      .filter((name) => name.includes(volume.id));
  const run = async (script: string) => {
    const pod = { ...small, imageName: house.shellImage, networkVolumeId: volume.id };
    const { json, text } = await house.call("POST", "/v1/pods", { ...pod, ...shell(script) });
    assert.ok(json.id, text);
    await until(podsOf(house).exited, json.id);
    return json.id as string;
  };
  const remove = async (id: string) => {
    assert.equal((await house.call("DELETE", `/v1/pods/${id}`)).status, 204);
    await until(
      async () => !house.docker("ps", "--all", "--quiet", "--filter", `name=${id}`) || null,
      "",
    );
  };
  const writer = await run('echo "kept for $RUNPOD_VOLUME_ID" > /workspace/file');
  await remove(writer);
  assert.equal(engines().length, 1);
  const reader = await run("cat /workspace/file");
  await prints(house, `/v1/pods/${reader}`, `kept for ${volume.id}`);
  await remove(reader);

  const serve = "cat /runpod-volume/file; sleep 1000";
  const endpoint = await house.makeEndpoint({
    template: { imageName: house.shellImage, ...shell(serve) },
    spec: { workersMin: 1, workersMax: 1, networkVolumeIds: [volume.id] },
  });
  const worker = await until(async () => {
    const { json } = await house.call("GET", `/v1/endpoints/${endpoint}/workers`);
    return json[0]?.startedAt ? json[0] : null;
  }, "");
  await prints(house, `/v1/workers/${worker.id}`, `kept for ${volume.id}`);
  const held = await house.call("DELETE", `/v1/networkvolumes/${volume.id}`);
  assert.equal(held.json.code, "network_volume_in_use");
  await house.call("DELETE", `/v1/endpoints/${endpoint}`);
  assert.equal((await house.call("DELETE", `/v1/networkvolumes/${volume.id}`)).status, 204);
  await until(async () => engines().length === 0 || null, "");
});
