// A test of network volumes on a real engine: Pods and workers share the data, and deletion removes it
// from the engine.

import assert from "node:assert/strict";
import { test } from "node:test";
import { skipReason } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { type ContainerService, startContainerService } from "./container-service.ts";

const small = { computeType: "CPU", vcpuCount: 2, containerDiskInGb: 1 };
const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const options = { env: { FREEHOLD_MACHINE: machine }, protocol: { endGraceMs: 500 } };
const shell = (script: string) => ({ dockerEntrypoint: ["bash", "-c"], dockerStartCmd: [script] });

const logOf = async (service: ContainerService, path: string): Promise<string[]> =>
  (await service.call("GET", `${path}/logs`)).json.map(({ text }: { text: string }) => text);

const prints = (service: ContainerService, path: string, line: string) =>
  until(async () => (await logOf(service, path)).includes(line) || null, "");

test("a network volume's data outlives its Pods, is shared with workers, and is deleted with the volume", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t, options);
  const body = { name: "data", size: 1, dataCenterId: "EU-RO-1" };
  const { json: volume } = await service.call("POST", "/v1/networkvolumes", body);
  const engines = () =>
    service
      .docker("volume", "ls", "--quiet")
      .split("\n")
      .filter((name) => name.includes(volume.id));
  const run = async (script: string) => {
    const pod = { ...small, imageName: service.shellImage, networkVolumeId: volume.id };
    const { json, text } = await service.call("POST", "/v1/pods", { ...pod, ...shell(script) });
    assert.ok(json.id, text);
    await until(podsOf(service).exited, json.id);
    return json.id as string;
  };
  const remove = async (id: string) => {
    assert.equal((await service.call("DELETE", `/v1/pods/${id}`)).status, 204);
    await until(
      async () => !service.docker("ps", "--all", "--quiet", "--filter", `name=${id}`) || null,
      "",
    );
  };
  const writer = await run('echo "kept for $RUNPOD_VOLUME_ID" > /workspace/file');
  await remove(writer);
  assert.equal(engines().length, 1);
  const reader = await run("cat /workspace/file");
  await prints(service, `/v1/pods/${reader}`, `kept for ${volume.id}`);
  await remove(reader);

  const serve = "cat /runpod-volume/file; sleep 1000";
  const endpoint = await service.makeEndpoint({
    template: { imageName: service.shellImage, ...shell(serve) },
    spec: { workersMin: 1, workersMax: 1, networkVolumeIds: [volume.id] },
  });
  const worker = await until(async () => {
    const { json } = await service.call("GET", `/v1/endpoints/${endpoint}/workers`);
    return json[0]?.startedAt ? json[0] : null;
  }, "");
  await prints(service, `/v1/workers/${worker.id}`, `kept for ${volume.id}`);
  const held = await service.call("DELETE", `/v1/networkvolumes/${volume.id}`);
  assert.equal(held.json.code, "network_volume_in_use");
  await service.call("DELETE", `/v1/endpoints/${endpoint}`);
  assert.equal((await service.call("DELETE", `/v1/networkvolumes/${volume.id}`)).status, 204);
  await until(async () => engines().length === 0 || null, "");
});

test("an image of any user writes to new volumes, and shares files with S3", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t, options);
  const imageName = `freehold-test-user-${process.pid}`;
  const holder = service.docker("create", "--user", "1234:1234", service.shellImage, "true").trim();
  service.docker("commit", holder, imageName);
  service.docker("rm", holder);
  t.after(() => service.docker("rmi", imageName));
  const body = { name: "data", size: 1, dataCenterId: "EU-RO-1" };
  const run = async (networkVolumeId: string | undefined, script: string) => {
    const pod = { ...small, imageName, networkVolumeId, volumeInGb: networkVolumeId ? 0 : 1 };
    const { json, text } = await service.call("POST", "/v1/pods", { ...pod, ...shell(script) });
    assert.ok(json.id, text);
    await prints(service, `/v1/pods/${json.id}`, "1234 wrote");
  };
  const write =
    "echo text > /workspace/file && mkdir -p /workspace/made && echo $(id -u) wrote; sleep 100";
  await run(undefined, write);
  const { json: first } = await service.call("POST", "/v1/networkvolumes", body);
  await run(first.id, write);

  const { json: second } = await service.call("POST", "/v1/networkvolumes", body);
  const object = (id: string, key: string, method: string, content?: string) =>
    fetch(`${service.origin}/s3/${id}/${key}`, {
      method,
      headers: { authorization: `Bearer ${service.key}` },
      ...(content !== undefined && { body: content }),
    });
  assert.equal((await object(second.id, "in/file", "PUT", "over S3")).status, 200);
  await run(second.id, `cd /workspace/in && echo more >> file && echo new > back && ${write}`);
  assert.equal(await (await object(second.id, "in/back", "GET")).text(), "new\n");
  assert.equal((await object(second.id, "made/file", "PUT", "x")).status, 200);
  assert.equal((await object(second.id, "in/back", "DELETE")).status, 204);
});
