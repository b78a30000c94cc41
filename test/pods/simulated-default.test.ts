// What a service without a container engine accepts: requests that name no driver and no start command, as clients of a
// hosted service send them.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { readConfig } from "../../src/app/config/config.ts";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "./fixture.ts";

const DEPLOY = `mutation { podFindAndDeployOnDemand(input: { cloudType: ALL, gpuCount: 8, volumeInGb: 40,
  containerDiskInGb: 40, minVcpuCount: 2, minMemoryInGb: 15, gpuTypeId: "NVIDIA RTX A6000", name: "Example",
  imageName: "example/pytorch", dockerArgs: "--model example/llm", ports: "8888/http", volumeMountPath: "/workspace",
  env: [{ key: "A", value: "1" }] }) { id imageName env machineId machine { podHostId } simulated } }`;

test("without an engine, images are accepted in every interface, and run simulated", async (t) => {
  const service = await startService(t, { drivers: "process,simulated" });
  const pods = podsOf(service);
  const rest = await service.call("POST", "/v1/pods", {
    imageName: "i",
    gpuTypeIds: ["NVIDIA A40"],
  });
  assert.equal(rest.status, 201, rest.text);
  assert.equal(rest.json.simulated, true);
  const graphql = await service.call("POST", "/graphql", { query: DEPLOY });
  const deployed = graphql.json.data.podFindAndDeployOnDemand;
  assert.equal(deployed.simulated, true, graphql.text);
  for (const id of [rest.json.id, deployed.id]) await until(pods.reached, id);
  const load = await until(async () => {
    const { json } = await service.call("GET", `/v1/pods/${rest.json.id}/metrics`);
    const samples = json.samples ?? [];
    return samples.length > 0 ? samples.at(-1) : null;
  });
  assert.ok(load.memoryBytes > 0 && load.memoryBytes < load.memoryLimitBytes);
  assert.equal(load.gpus.length, 1);

  const template = await service.call("POST", "/v1/templates", {
    ...{ name: "image", imageName: "example/worker:1", isServerless: true },
  });
  const endpoint = await service.call("POST", "/v1/endpoints", { templateId: template.json.id });
  assert.equal(endpoint.status, 200, endpoint.text);
  const job = await service.call("POST", `/v2/${endpoint.json.id}/runsync`, { input: { n: 1 } });
  assert.deepEqual([job.json.status, job.json.output], ["COMPLETED", { n: 1 }], job.text);

  const image = { name: "sandbox", imageName: "example/box:1", volumeInGb: 0 };
  const { json: box } = await service.call("POST", "/v1/templates", image);
  const sandbox = await service.call("POST", "/v2/sandboxes", { name: "box", templateId: box.id });
  assert.ok([200, 201].includes(sandbox.status), sandbox.text);
  const { json } = await service.call("GET", "/v1/machines");
  assert.equal(json[0].simulated, true);
});

test("a client that leaves in the middle of an upload to a simulated Pod ends nothing", async (t) => {
  const service = await startService(t, { drivers: "simulated" });
  const { json: pod } = await service.call("POST", "/v1/pods", {
    ...{ imageName: "i", ports: ["8888/http"] },
  });
  await until(podsOf(service).reached, pod.id);
  const { port } = new URL(service.proxyOrigin!);
  const socket = connect(Number(port), "127.0.0.1");
  const host = `${pod.id}-8888.proxy.localhost`;
  socket.write(`POST / HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 100\r\n\r\nnot all`);
  await until(async () => socket.bytesWritten > 0);
  socket.destroy();
  // What fails unhandled ends this process too.
  const { status } = await service.call("POST", `/v1/pods/${pod.id}/stop`);
  assert.equal(status, 200);
});

test("jobs of an endpoint that was made for an engine wait for it", async (t) => {
  const service = await startService(t, { drivers: "simulated" });
  // As a service with an engine stores it: the release names no driver.
  const id = await service.makeEndpoint({
    template: { imageName: "example/worker:1", driver: null },
  });
  const { json: job } = await service.call("POST", `/v2/${id}/run`, { input: { n: 1 } });
  await until(async () => {
    const { json } = await service.call("GET", `/v1/why/${id}`);
    return json.code === "driver_missing";
  });
  const { json } = await service.call("GET", `/v2/${id}/status/${job.id}`);
  assert.equal(json.status, "IN_QUEUE");
});

test("the driver's earlier name is accepted in the configuration, with a warning", () => {
  const config = readConfig({ drivers: "process,fake" }, {}, "/nowhere");
  assert.deepEqual(config.drivers, ["process", "simulated"]);
  assert.match(config.deprecations.join(), /"fake", which is now "simulated"/);
  assert.deepEqual(readConfig({ drivers: "none" }, {}, "/nowhere").drivers, []);
  assert.deepEqual(readConfig({ drivers: "simulated" }, {}, "/nowhere").deprecations, []);
  assert.throws(
    () => readConfig({ drivers: "podman" }, {}, "/nowhere"),
    /names "podman"; it takes/,
  );
});
