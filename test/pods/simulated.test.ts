// Pods over REST on the simulated driver: created, read, stopped, started, restarted, changed, deleted.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../fixtures/until.ts";
import { type PodJson, podsOf, simulatedService } from "./fixture.ts";

test("a Pod is RUNNING at once, then reachable, stopped, started and deleted", async (t) => {
  const service = await simulatedService(t);
  const pods = podsOf(service);
  const creation = await service.call("POST", "/v1/pods", {
    driver: "simulated",
    name: "first",
    imageName: "img:1",
    gpuTypeIds: ["NVIDIA  A30"],
    gpuCount: 2,
    ports: ["8888/http", "22/tcp"],
    env: { A: "1" },
  });
  assert.equal(creation.status, 201, creation.text);
  assert.partialDeepStrictEqual(creation.json, {
    name: "first",
    desiredStatus: "RUNNING",
    image: "img:1",
    imageName: "img:1",
    gpuTypeId: "NVIDIA A30",
    gpuCount: 2,
    gpu: { id: "NVIDIA A30", count: 2 },
    vcpuCount: 4,
    memoryInGb: 16,
    costPerHr: creation.json.gpu.securePrice * 2,
    portMappings: {},
    publicIp: null,
    volumeInGb: 20,
    containerDiskInGb: 50,
  });
  const { id } = creation.json;
  const running = await until(pods.reached, id);
  assert.equal(running.publicIp, "127.0.0.1");
  assert.deepEqual(Object.keys(running.portMappings), ["22"]);
  assert.ok(running.portMappings["22"]! >= 20_000 && running.portMappings["22"]! <= 29_999);
  assert.ok(running.lastStartedAt);
  assert.deepEqual(
    (await service.call("POST", `/v1/pods/${id}/start`)).json.desiredStatus,
    "RUNNING",
  );

  const stopped = await service.call("POST", `/v1/pods/${id}/stop`);
  assert.equal(stopped.status, 200);
  assert.equal(stopped.json.desiredStatus, "EXITED");
  assert.match(stopped.json.lastStatusChange, /^Exited by user: /);
  assert.equal((await service.call("POST", `/v1/pods/${id}/stop`)).status, 200);
  const stoppedPod = await until(pods.unreached, id);
  assert.deepEqual(
    [stoppedPod.publicIp, stoppedPod.portMappings, stoppedPod.gpu?.count],
    [null, {}, 2],
  );
  const refused = await service.call("POST", `/v1/pods/${id}/restart`);
  assert.deepEqual([refused.status, refused.json.code], [400, "pod_not_running"]);

  const started = await service.call("POST", `/v1/pods/${id}/start`);
  assert.deepEqual([started.status, started.json.desiredStatus], [200, "RUNNING"]);
  const again = await until(pods.reached, id);
  assert.equal(again.machineId, running.machineId);
  assert.deepEqual(again.portMappings, running.portMappings);
  const restarted = await service.call("POST", `/v1/pods/${id}/restart`);
  assert.equal(restarted.status, 200);
  await until(async (id) => {
    const pod = await pods.reached(id);
    return pod && pod.lastStartedAt! > again.lastStartedAt! ? pod : null;
  }, id);
});

test("a deleted Pod is not found at once", async (t) => {
  const service = await simulatedService(t);
  const creation = await service.call("POST", "/v1/pods", { driver: "simulated", imageName: "i" });
  const { id } = creation.json;
  await until(podsOf(service).reached, id);
  const deleted = await service.call("DELETE", `/v1/pods/${id}`);
  assert.deepEqual([deleted.status, deleted.text], [204, ""]);
  for (const [method, path] of [
    ["GET", ""],
    ["POST", "/start"],
    ["DELETE", ""],
  ] as const) {
    const answer = await service.call(method, `/v1/pods/${id}${path}`);
    assert.deepEqual([answer.status, answer.json.code], [404, "pod_not_found"]);
  }
  assert.deepEqual((await service.call("GET", "/v1/pods")).json, []);
});

test("lists are filtered, and include workers on request", async (t) => {
  const service = await simulatedService(t);
  const make = async (body: object) =>
    (await service.call("POST", "/v1/pods", { driver: "simulated", imageName: "i", ...body }))
      .json as PodJson;
  const gpu = await make({ name: "g", gpuTypeIds: ["NVIDIA A40"] });
  const cpu = await make({ name: "c", computeType: "CPU", cpuFlavorIds: ["cpu5c"] });
  assert.deepEqual(
    [cpu.cpuFlavorId, cpu.vcpuCount, cpu.memoryInGb, cpu.gpuCount],
    ["cpu5c", 2, 4, 0],
  );
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const list = async (query: string) =>
    ((await service.call("GET", `/v1/pods?${query}`)).json as PodJson[]).map(({ id }) => id);
  const rows: [query: string, ids: string[]][] = [
    ["", [gpu.id, cpu.id]],
    ["computeType=CPU", [cpu.id]],
    ["gpuTypeId=NVIDIA+A40&gpuTypeId=NVIDIA+L4", [gpu.id]],
    ["gpuTypeId=NVIDIA+A40,NVIDIA+L4", [gpu.id]],
    [`id=${cpu.id},${gpu.id}`, [gpu.id, cpu.id]],
    ["desiredStatus=RUNNING,EXITED", [gpu.id, cpu.id]],
    ["name=c&limit=1", [cpu.id]],
    ["name=nobody", []],
    [`includeWorkers=true&endpointId=${endpoint}`, [worker.id]],
    ["desiredStatus=EXITED", []],
  ];
  for (const [query, ids] of rows) assert.deepEqual(await list(query), ids, query);
  const one = `/v1/pods/${worker.id}`;
  assert.equal((await service.call("GET", one)).status, 404);
  assert.equal((await service.call("GET", `${one}?includeWorkers=true`)).json.endpointId, endpoint);
  const including = "?includeMachine=true&includeSavingsPlans=true&includeTemplate=true";
  const whole = (await service.call("GET", `/v1/pods/${gpu.id}${including}`)).json;
  assert.equal(whole.machine.gpuTypeId, "NVIDIA A40");
  assert.deepEqual(whole.savingsPlans, []);
});

test("a template gives a Pod its defaults, and the body overrides them", async (t) => {
  const service = await simulatedService(t);
  const { json: template } = await service.call("POST", "/v1/templates", {
    name: "t",
    imageName: "from-template",
    env: { A: "1", B: "1" },
    ports: ["80/tcp"],
    dockerStartCmd: ["sleep", "9"],
    volumeInGb: 0,
  });
  const creation = await service.call("POST", "/v1/pods", {
    driver: "simulated",
    templateId: template.id,
    env: { B: "2" },
    containerDiskInGb: null,
  });
  assert.partialDeepStrictEqual(creation.json, {
    templateId: template.id,
    imageName: "from-template",
    env: { A: "1", B: "2" },
    ports: ["80/tcp"],
    dockerStartCmd: ["sleep", "9"],
    volumeInGb: 0,
    containerDiskInGb: 50,
    name: "my pod",
  });
  const nobody = await service.call("POST", "/v1/pods", {
    driver: "simulated",
    templateId: "nothere",
  });
  assert.match(nobody.json.message, /"templateId" must be one of your templates/);
});

test("name and lock change in place; any other change replaces the container", async (t) => {
  const service = await simulatedService(t);
  const pods = podsOf(service);
  const { id } = (await service.call("POST", "/v1/pods", { driver: "simulated", imageName: "a" }))
    .json;
  const before = await until(pods.reached, id);
  const one = `/v1/pods/${id}`;
  const named = await service.call("PUT", one, { name: "new", locked: true });
  assert.deepEqual([named.json.name, named.json.locked], ["new", true]);
  assert.equal(named.json.lastStartedAt, before.lastStartedAt);
  for (const move of ["stop", "restart", "reset"]) {
    const refused = await service.call("POST", `${one}/${move}`);
    assert.deepEqual([refused.status, refused.json.code], [400, "pod_locked"], move);
  }
  assert.equal((await service.call("PATCH", one, { imageName: "b" })).json.code, "pod_locked");
  await service.call("PATCH", one, { locked: false });
  const changed = await service.call("POST", `${one}/update`, { imageName: "b", volumeInGb: 30 });
  assert.deepEqual([changed.json.image, changed.json.volumeInGb], ["b", 30]);
  await until(async (id) => {
    const pod = await pods.reached(id);
    return pod && pod.lastStartedAt! > before.lastStartedAt! ? pod : null;
  }, id);
  const less = await service.call("PATCH", one, { volumeInGb: 29 });
  assert.match(less.json.message, /"volumeInGb" is 29; a volume of 30 GB can only grow/);
  assert.match((await service.call("PATCH", one, { gpuCount: 2 })).json.message, /"gpuCount"/);
});

const wrong: [name: string, body: object, code: string, sentence: RegExp][] = [
  ["an unknown key", { gpuTypeId: "x" }, "unknown_field", /"gpuTypeId" cannot be set here/],
  ["startSsh", { startSsh: true }, "unknown_field", /"startSsh"/],
  ["no image", { imageName: undefined }, "invalid_body", /"imageName" is missing/],
  ["a GPU type", { gpuTypeIds: ["NVIDIA A41"] }, "invalid_body", /did you mean "NVIDIA A40"/],
  ["no GPU", { gpuCount: 0 }, "invalid_body", /"gpuCount" must be a whole number from 1/],
  ["a data center", { dataCenterIds: ["MARS-1"] }, "invalid_body", /"MARS-1", which is not a data/],
  ["a CUDA version", { allowedCudaVersions: ["1.0"] }, "invalid_body", /"1.0"/],
  ["a port", { ports: ["0/tcp"] }, "invalid_body", /"ports" holds "0\/tcp"/],
  ["a port's protocol", { ports: ["53/udp"] }, "invalid_body", /a port and its protocol/],
  ["a path", { volumeMountPath: "workspace" }, "invalid_body", /an absolute path/],
  ["a name", { name: "n".repeat(192) }, "invalid_body", /"name" must be a string/],
  ["CPUs of no flavor", { computeType: "CPU", vcpuCount: 3 }, "invalid_body", /2, 4, 8, 16, 32/],
  [
    "spot on CPUs",
    { interruptible: true, computeType: "CPU" },
    "invalid_body",
    /"interruptible" is true; spot Pods are only offered on GPUs/,
  ],
  [
    "too low a bid",
    { interruptible: true, bidPerGpu: 0.01, gpuTypeIds: ["NVIDIA A40"] },
    "invalid_body",
    /"bidPerGpu" is 0.01; spot prices of the requested GPU types begin at 0\.\d+/,
  ],
  ["a network volume", { networkVolumeId: "v" }, "invalid_body", /there is no "v"/],
  ["a time", { stopAfter: "tomorrow" }, "invalid_body", /"stopAfter"/],
  [
    "too many variables",
    { env: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`V${n}`, ""])) },
    "invalid_body",
    /"env" holds 51 variables; there may be 50/,
  ],
];

test("an invalid Pod is rejected with every error, and not created", async (t) => {
  const service = await simulatedService(t);
  for (const [name, body, code, sentence] of wrong) {
    const refused = await service.call("POST", "/v1/pods", {
      driver: "simulated",
      imageName: "i",
      ...body,
    });
    assert.deepEqual([refused.status, refused.json.code], [400, code], `${name} ${refused.text}`);
    assert.match(refused.json.message, sentence, name);
  }
  assert.deepEqual((await service.call("GET", "/v1/pods")).json, []);
});

test("additional fields of clients are accepted", async (t) => {
  const service = await simulatedService(t);
  const creation = await service.call("POST", "/v1/pods", {
    driver: "simulated",
    imageName: "i",
    dockerArgs: "simulate --exit-code 3",
    minCudaVersion: "12.4",
    minRamPerGpu: 16,
    minVcpuPerGpu: 4,
    bidPerGpu: 0.1,
    supportPublicIp: null,
  });
  assert.equal(creation.status, 201, creation.text);
  assert.deepEqual(creation.json.dockerStartCmd, ["simulate", "--exit-code", "3"]);
  assert.deepEqual([creation.json.memoryInGb, creation.json.vcpuCount], [16, 4]);
});

test("the same Idempotency-Key creates one Pod", async (t) => {
  const service = await simulatedService(t);
  const make = () =>
    service.call(
      "POST",
      "/v1/pods",
      { driver: "simulated", imageName: "i" },
      { "idempotency-key": "once" },
    );
  const answers = await Promise.all([make(), make()]);
  assert.equal(answers[0]?.json.id, answers[1]?.json.id);
  assert.equal((await service.call("GET", "/v1/pods")).json.length, 1);
});
