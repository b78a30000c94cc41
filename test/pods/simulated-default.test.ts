// What a service without a container engine accepts: requests that name no driver and no start command, as clients of a
// hosted service send them.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { readConfig } from "../../src/config/config.ts";
import { changePod, findPod } from "../../src/store/pod/row.ts";
import { freehold } from "../cli/command.ts";
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
    name: "image",
    imageName: "example/worker:1",
    isServerless: true,
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

test("machine add takes the earlier name of its simulated GPUs, with a warning", async (t) => {
  const service = await startService(t, { drivers: "simulated" });
  const add = (gpus: string) =>
    freehold([
      "machine",
      "add",
      "ssh://me@gpu.invalid",
      "--virtual-gpus",
      gpus,
      "--data",
      service.dataFolder,
    ]);
  const { code, stderr } = await add('{"NVIDIA A4": 1}');
  assert.equal(code, 1);
  assert.match(stderr, /--virtual-gpus is now --simulated-gpus/);
  assert.match(stderr, /simulatedGpus.*NVIDIA A4/);
  const list = await freehold(["machine", "list", "--data", service.dataFolder]);
  assert.match(list.stdout, / online, simulated {3}/);
});

test("a malformed name of an image is refused in every interface", async (t) => {
  const service = await startService(t, { drivers: "simulated" });
  const image = "acme/LLM:1";
  const expected = (field: string) =>
    `"${field}" is "${image}"; the repository's name is lower-case.`;
  const refuses = async (method: string, path: string, field: string, body: object) => {
    const { status, text } = await service.call(method, path, body);
    assert.equal(status, 400, `${path}: ${text}`);
    assert.ok(text.includes(JSON.stringify(expected(field)).slice(1, -1)), `${path}: ${text}`);
  };
  const cpu = { cpu: { id: "cpu3c", vcpuCount: 2 } };
  const { json: template } = await service.call("POST", "/v1/templates", {
    name: "t",
    imageName: "acme/llm:1",
  });
  const { json: pod } = await service.call("POST", "/v1/pods", { imageName: "acme/llm:1" });
  await refuses("POST", "/v1/pods", "imageName", { imageName: image });
  await refuses("PATCH", `/v1/pods/${pod.id}`, "imageName", { imageName: image });
  await refuses("POST", "/v1/templates", "imageName", { name: "u", imageName: image });
  await refuses("PATCH", `/v1/templates/${template.id}`, "imageName", { imageName: image });
  await refuses("POST", "/v2/pods", "image", { name: "p", image, ...cpu });
  await refuses("POST", "/v2/templates", "image", { name: "v", image });
  await refuses("POST", "/v2/serverless", "image", {
    name: "e",
    image,
    type: "QUEUE",
    cpu: [cpu.cpu],
    workers: { max: 0 },
    scaling: { type: "QUEUE_DELAY", queueDelay: 1 },
  });

  const refusesGraphql = async (mutation: string, type: string, input: object) => {
    const query = `mutation ($input: ${type}) { ${mutation}(input: $input) { id } }`;
    const { json } = await service.call("POST", "/graphql", { query, variables: { input } });
    assert.ok(json.errors?.[0].message.includes(expected("imageName")), JSON.stringify(json));
  };
  const gpu = { gpuTypeId: "NVIDIA A40" };
  const input = { name: "n", imageName: image };
  await refusesGraphql("podFindAndDeployOnDemand", "PodFindAndDeployOnDemandInput!", {
    ...input,
    ...gpu,
  });
  await refusesGraphql("podRentInterruptable", "PodRentInterruptableInput!", {
    ...input,
    ...gpu,
    bidPerGpu: 1,
  });
  await refusesGraphql("saveTemplate", "SaveTemplateInput!", {
    ...input,
    containerDiskInGb: 1,
    volumeInGb: 0,
    dockerArgs: "",
    env: [],
  });
  await refusesGraphql("createCluster", "CreateClusterInput!", {
    clusterName: "c",
    imageName: image,
    ...gpu,
    podCount: 2,
    gpuCountPerPod: 1,
    type: "TRAINING",
  });
  const flags = ["pods", "create", "--image-name", image, "--data", service.dataFolder];
  const { code, stderr } = await freehold(flags);
  assert.equal(code, 1);
  assert.ok(stderr.includes(expected("imageName")), stderr);
});

test("workloads keep a malformed name that was stored before names were checked", async (t) => {
  const service = await startService(t, { drivers: "simulated" });
  const { store } = service.service;
  const imageName = "My Worker";
  const send = async (method: string, path: string, body?: object, status = 200) => {
    const answer = await service.call(method, path, body);
    assert.equal(answer.status, status, `${path}: ${answer.text}`);
    return answer.json;
  };
  const { id } = await send("POST", "/v1/pods", { imageName: "i" }, 201);
  await until(podsOf(service).reached, id);
  await send("POST", `/v1/pods/${id}/stop`);
  const pod = await store.read(findPod, id);
  await store.write(changePod, id, { desired: { spec: { ...pod!.desired.spec, imageName } } });
  assert.equal((await send("POST", `/v1/pods/${id}/start`)).desiredStatus, "RUNNING");
  await send("PATCH", `/v1/pods/${id}`, { imageName, env: { A: "1" } });
  await send("PATCH", `/v1/pods/${id}`, { imageName: "My Other Worker" }, 400);

  const endpoint = await service.makeEndpoint({ template: { imageName, driver: null } });
  const { templateId } = await send("GET", `/v1/endpoints/${endpoint}`);
  await send("PATCH", `/v1/templates/${templateId}`, { imageName, env: { A: "1" } });
  await send("PATCH", `/v1/templates/${templateId}`, { imageName: "My Other Worker" }, 400);
  // A template that others can use is copied first.
  await send("PATCH", `/v2/serverless/${endpoint}`, { env: { A: "2" } });
  await send("PATCH", `/v2/serverless/${endpoint}`, { image: "example/worker:1" });
  await send("POST", `/v1/endpoints/${endpoint}/releases/1/rollback`);
});

test("a client that leaves in the middle of an upload to a simulated Pod ends nothing", async (t) => {
  const service = await startService(t, { drivers: "simulated" });
  const { json: pod } = await service.call("POST", "/v1/pods", {
    imageName: "i",
    ports: ["8888/http"],
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

test("earlier names are accepted in the configuration, with a warning", () => {
  const config = readConfig({ drivers: "process,fake" }, {}, "/nowhere");
  assert.deepEqual(config.drivers, ["process", "simulated"]);
  assert.match(config.deprecations.join(), /"fake", which is now "simulated"/);
  assert.deepEqual(readConfig({ drivers: "none" }, {}, "/nowhere").drivers, []);
  assert.deepEqual(readConfig({ drivers: "simulated" }, {}, "/nowhere").deprecations, []);
  const earlier = readConfig({}, { FREEHOLD_VIRTUAL_GPUS: '{"NVIDIA A40": 2}' }, "/nowhere");
  assert.deepEqual(earlier.simulatedGpus, { "NVIDIA A40": 2 });
  assert.match(earlier.deprecations.join(), /is now FREEHOLD_GPUS/);
  const both = readConfig({ gpus: "0", virtualGpus: "3" }, {}, "/nowhere");
  assert.equal(both.simulatedGpus!["NVIDIA A40"], 0);
  assert.throws(
    () => readConfig({ drivers: "podman" }, {}, "/nowhere"),
    /names "podman"; it takes/,
  );
});
