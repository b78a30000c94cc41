// Tests of endpoints over HTTP: every field with its default and limits, optional parts of
// responses, and deletion.

import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInCatalog } from "../../src/config/catalog/read.ts";
import { idsOf } from "../../src/domain/catalog/catalog.ts";
import { findEndpoint, markEndpointDeleted } from "../../src/store/endpoint/endpoint.ts";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { make, makeTemplate } from "./make-endpoint.ts";

test("an endpoint has the documented defaults", async (t) => {
  const service = await startService(t);
  const templateId = await makeTemplate(service, { name: "greeter", env: { A: "1" } });
  const creation = await service.call("POST", "/v1/endpoints", { templateId });
  assert.equal(creation.status, 200, creation.text);
  const { id, createdAt, userId, ...rest } = creation.json;
  assert.match(id, /^[a-z0-9]{14}$/);
  assert.equal(new Date(createdAt).toISOString(), createdAt);
  assert.match(userId, /^user_/);
  assert.deepEqual(rest, {
    name: "greeter",
    type: "QB",
    templateId,
    version: 1,
    computeType: "GPU",
    allowedCudaVersions: [],
    dataCenterIds: idsOf(builtInCatalog().dataCenters),
    env: { A: "1" },
    executionTimeoutMs: 600_000,
    resultRetentionMs: 0,
    failureRetentionMs: 0,
    deadLetterRetentionMs: 604_800_000,
    flashboot: true,
    flashBootType: "FLASHBOOT",
    gpuCount: 1,
    gpuIds: "",
    gpuTypeIds: [],
    idleTimeout: 5,
    instanceIds: [],
    locations: "",
    modelReferences: [],
    networkVolumeIds: [],
    scalerType: "QUEUE_DELAY",
    scalerValue: 4,
    workersMax: 3,
    workersMin: 0,
  });
  assert.deepEqual((await service.call("GET", `/v1/endpoints/${id}`)).json, creation.json);
  const listed = (await service.call("GET", "/v1/endpoints")).json;
  assert.ok(Array.isArray(listed));
  assert.deepEqual(
    listed.find((each: { id: string }) => each.id === id),
    creation.json,
  );
});

test("every setting is stored, aliases under the catalog's name", async (t) => {
  const service = await startService(t);
  const creation = await make(service, {
    name: "e",
    computeType: "GPU",
    allowedCudaVersions: ["12.4", "12.4"],
    minCudaVersion: "11.8",
    dataCenterIds: ["eu-ro-1", "US-TX-3"],
    executionTimeoutMs: 0,
    resultRetentionMs: 60_000,
    failureRetentionMs: 604_800_000,
    flashboot: false,
    gpuCount: 2,
    gpuTypeIds: ["NVIDIA RTX A30", "NVIDIA GeForce RTX 4090"],
    idleTimeout: 3600,
    networkVolumeId: null,
    networkVolumeIds: [],
    modelReferences: [],
    scalerType: "REQUEST_COUNT",
    scalerValue: 1,
    vcpuCount: 4,
    workersMax: 0,
    workersMin: 0,
  });
  assert.equal(creation.status, 200, creation.text);
  const wanted = {
    name: "e",
    allowedCudaVersions: ["12.4"],
    minCudaVersion: "11.8",
    dataCenterIds: ["EU-RO-1", "US-TX-3"],
    locations: "EU-RO-1,US-TX-3",
    executionTimeoutMs: 0,
    resultRetentionMs: 60_000,
    failureRetentionMs: 604_800_000,
    flashboot: false,
    flashBootType: "OFF",
    gpuCount: 2,
    gpuTypeIds: ["NVIDIA A30", "NVIDIA GeForce RTX 4090"],
    gpuIds: "NVIDIA A30,ADA_24",
    idleTimeout: 3600,
    scalerType: "REQUEST_COUNT",
    scalerValue: 1,
    workersMax: 0,
    workersMin: 0,
  };
  assert.partialDeepStrictEqual(creation.json, wanted);
});

test("a CPU endpoint names its instance types", async (t) => {
  const service = await startService(t);
  const creation = await make(service, {
    computeType: "CPU",
    cpuFlavorIds: ["cpu3c", "cpu5g"],
    vcpuCount: 4,
  });
  assert.equal(creation.json.computeType, "CPU");
  assert.deepEqual(creation.json.instanceIds, ["cpu3c-4-8", "cpu5g-4-16"]);
  assert.deepEqual(creation.json.cpuFlavorIds, ["cpu3c", "cpu5g"]);
});

test("a CPU endpoint has flavors and no GPU, and what is read can be written back", async (t) => {
  const service = await startService(t);
  const { json } = await make(service, { computeType: "CPU", gpuTypeIds: ["NVIDIA A40"] });
  const { cpuFlavorIds, instanceIds, vcpuCount, gpuTypeIds, gpuIds, gpuCount } = json;
  assert.deepEqual(cpuFlavorIds, ["cpu3c", "cpu3g", "cpu5c", "cpu5g"]);
  assert.deepEqual(instanceIds, ["cpu3c-2-4", "cpu3g-2-8", "cpu5c-2-4", "cpu5g-2-8"]);
  assert.deepEqual([vcpuCount, gpuTypeIds, gpuIds, gpuCount], [2, [], "", 0]);
  const same = { cpuFlavorIds, vcpuCount, gpuTypeIds, gpuCount };
  const written = await service.call("PATCH", `/v1/endpoints/${json.id}`, same);
  assert.deepEqual([written.status, written.json.version], [200, json.version], written.text);
  const copy = await make(service, { computeType: "CPU", ...same });
  assert.deepEqual(copy.json.instanceIds, instanceIds);
  const gpu = await make(service, {});
  assert.ok(!("cpuFlavorIds" in gpu.json) && !("vcpuCount" in gpu.json));
});

const refusals: [title: string, settings: Record<string, unknown>, code: string, says: RegExp][] = [
  ["no template", { templateId: undefined }, "invalid_body", /"templateId" is missing/],
  ["a template that is not there", { templateId: "x" }, "invalid_body", /there is no "x"/],
  ["a long name", { name: "x".repeat(192) }, "invalid_body", /"name" .* 1 to 191 characters/],
  ["idleTimeout 0", { idleTimeout: 0 }, "invalid_body", /a whole number from 1 to 3600; it is 0/],
  ["idleTimeout 3601", { idleTimeout: 3601 }, "invalid_body", /it is 3601/],
  ["scalerValue 0", { scalerValue: 0 }, "invalid_body", /"scalerValue" .* from 1 up; it is 0/],
  ["scalerType", { scalerType: "X" }, "invalid_body", /"QUEUE_DELAY", "REQUEST_COUNT"; it is "X"/],
  ["gpuCount 0", { gpuCount: 0 }, "invalid_body", /"gpuCount" must be a whole number from 1 up/],
  ["workersMin -1", { workersMin: -1 }, "invalid_body", /"workersMin" .* it is -1/],
  ["more least than most", { workersMin: 5, workersMax: 4 }, "invalid_body", /is 5 and .*Max", 4/],
  ["4999 ms", { executionTimeoutMs: 4_999 }, "invalid_body", /0 for no limit, or 5000/],
  ["over 7 d", { executionTimeoutMs: 604_800_001 }, "invalid_body", /604800000 \(7 d\)/],
  ["kept 999 ms", { resultRetentionMs: 999 }, "invalid_body", /between 1000 and 604800000 mill/],
  ["kept 8 d", { failureRetentionMs: 691_200_000 }, "invalid_body", /"failureRetentionMs" is 6912/],
  ["kept -1", { failureRetentionMs: -1 }, "invalid_body", /0 for the default, or a number of mill/],
  ["a GPU type", { gpuTypeIds: ["RTX 4090"] }, "invalid_body", /mean "NVIDIA GeForce RTX 4090"\?/],
  ["a data center", { dataCenterIds: ["MARS-1"] }, "invalid_body", /"MARS-1", which is not a data/],
  ["a flavor for Pods", { cpuFlavorIds: ["cpu3m"] }, "invalid_body", /"cpu3m", which is not a CPU/],
  ["a CUDA version", { minCudaVersion: "10.0" }, "invalid_body", /"10.0", which is not a CUDA/],
  ["a boolean as text", { flashboot: "true" }, "invalid_body", /true or false; it is "true"/],
  ["an unknown key", { workersmax: 1 }, "unknown_field", /Did you mean "workersMax"\?/],
  ["a read-only key", { version: 7 }, "unknown_field", /"version" cannot be set here/],
  ["a network volume", { networkVolumeId: "v" }, "invalid_body", /there is no "v"/],
  ["network volumes", { networkVolumeIds: ["v"] }, "invalid_body", /there is no "v"/],
  ["models", { modelReferences: ["m"] }, "invalid_body", /not a model of the Hugging Face Hub/],
  ["a type", { type: "LOAD" }, "invalid_body", /"type"/],
  [
    "results of a load balancer",
    { type: "LB", resultRetentionMs: 60_000 },
    "invalid_body",
    /a load-balancing endpoint has no jobs/,
  ],
];

test("invalid bodies are rejected", async (t) => {
  const service = await startService(t);
  const templateId = await makeTemplate(service);
  for (const [title, settings, code, says] of refusals) {
    await t.test(title, async () => {
      const answer = await service.call("POST", "/v1/endpoints", { templateId, ...settings });
      assert.equal(answer.status, 400, answer.text);
      assert.equal(answer.json.code, code, answer.text);
      assert.match(answer.json.message, says);
    });
  }
  assert.deepEqual((await service.call("GET", "/v1/endpoints")).json, []);
});

test("workersMin above the default workersMax raises workersMax", async (t) => {
  const service = await startService(t);
  const creation = await make(service, { workersMin: 5 });
  assert.equal(creation.json.workersMax, 5);
});

test("an image without a command cannot run as a process, and is rejected at once", async (t) => {
  const service = await startService(t, { drivers: "process" });
  const image = await makeTemplate(service, { driver: null });
  const refused = await service.call("POST", "/v1/endpoints", { templateId: image });
  assert.equal(refused.status, 400);
  assert.equal(refused.json.code, "no_start_command");
  assert.match(refused.json.message, /an image alone is not enough/);
  const templateId = await makeTemplate(service, { driver: null, dockerStartCmd: ["true"] });
  const creation = await service.call("POST", "/v1/endpoints", { templateId, workersMax: 0 });
  assert.equal(creation.status, 200);
  const emptied = await service.call("PATCH", `/v1/templates/${templateId}`, {
    dockerStartCmd: [],
  });
  assert.equal(emptied.json.code, "no_start_command");
  const docker = await makeTemplate(service, { driver: "docker" });
  const elsewhere = await service.call("POST", "/v1/endpoints", { templateId: docker });
  assert.equal(elsewhere.status, 200);
});

test("includeTemplate and includeWorkers", async (t) => {
  const service = await startService(t);
  const { json: creation } = await make(service, { name: "e" });
  const worker = await service.makeWorker(creation.id);
  const { json } = await service.call(
    "GET",
    `/v1/endpoints/${creation.id}?includeTemplate=true&includeWorkers=true`,
  );
  assert.equal(json.template.id, creation.templateId);
  assert.equal(json.workers.length, 1);
  const [pod] = json.workers;
  assert.partialDeepStrictEqual(pod, {
    id: worker.id,
    endpointId: creation.id,
    aiApiId: creation.id,
    slsVersion: 1,
    desiredStatus: "RUNNING",
    image: "img",
    imageName: "img",
    env: {},
    templateId: creation.templateId,
    costPerHr: 0,
  });
  assert.match(pod.lastStatusChange, /^starting since 20\d\d-/);
  const listed = await service.call("GET", "/v1/endpoints?includeTemplate=1&includeWorkers=1");
  assert.deepEqual(listed.json, [json]);
});

test("the same Idempotency-Key creates one endpoint, and returns it even after its deletion", async (t) => {
  const service = await startService(t);
  const templateId = await makeTemplate(service);
  const create = (key: string) =>
    service.call("POST", "/v1/endpoints", { templateId }, { "idempotency-key": key });
  const [one, two] = await Promise.all([create("k"), create("k")]);
  assert.deepEqual(one.json, two.json);
  assert.notEqual((await create("other")).json.id, one.json.id);
  await service.call("DELETE", `/v1/endpoints/${one.json.id}`);
  assert.deepEqual((await create("k")).json, one.json);
});

test("deleting an endpoint cancels queued jobs, finishes the running one and drains its worker", async (t) => {
  const service = await startService(t, { protocol: { pollHoldMs: 50 } });
  const { json: creation } = await make(service);
  const worker = await service.makeWorker(creation.id);
  const run = async () =>
    (await service.call("POST", `/v2/${creation.id}/run`, { input: {} })).json.id;
  const running = await run();
  assert.equal((await worker.call("job-take")).json.id, running);
  const waiting = service.call("POST", `/v2/${creation.id}/runsync?wait=60000`, { input: {} });
  await until(async () => {
    const { json } = await service.call("GET", `/v2/${creation.id}/health`);
    return json.jobs.inQueue > 0;
  });
  await Promise.all(Array.from({ length: 450 }, run));
  const deleted = await service.call("DELETE", `/v1/endpoints/${creation.id}`);
  assert.equal(deleted.status, 204);
  assert.equal(deleted.headers.get("content-type"), null);
  assert.equal(deleted.text, "");
  const ended = (await waiting).json;
  assert.equal(ended.status, "CANCELLED");
  assert.equal(ended.error, "its endpoint was deleted");
  assert.equal((await service.call("GET", `/v1/endpoints/${creation.id}`)).status, 404);
  assert.equal((await service.call("POST", `/v2/${creation.id}/run`, { input: {} })).status, 404);
  assert.equal((await service.call("DELETE", `/v1/endpoints/${creation.id}`)).status, 404);
  const done = await worker.call(`job-done/${running}`, "", '{"output":1}');
  assert.deepEqual([done.status, done.json.status], [200, "ok"]);
});

test("a queue left over from a stop of the service is cancelled by the loop", async (t) => {
  const service = await startService(t);
  const { json: creation } = await make(service);
  const waiting = service.call("POST", `/v2/${creation.id}/runsync?wait=60000`, { input: {} });
  await until(async () => {
    const { json } = await service.call("GET", `/v2/${creation.id}/health`);
    return json.jobs.inQueue > 0;
  });
  const endpoint = await service.service.store.read(findEndpoint, creation.id);
  await service.service.store.write(markEndpointDeleted, endpoint!, Date.now());
  const { json } = await waiting;
  assert.deepEqual([json.status, json.error], ["CANCELLED", "its endpoint was deleted"]);
});

test("requests with a JSON content type and no body are accepted", async (t) => {
  const service = await startService(t);
  const { json: creation } = await make(service);
  const announced = { "content-type": "application/json" };
  const ask = (method: string, path: string) => service.call(method, path, undefined, announced);
  assert.equal((await ask("GET", "/v1/endpoints")).status, 200);
  assert.deepEqual((await ask("PATCH", `/v1/endpoints/${creation.id}`)).json, creation);
  assert.deepEqual((await ask("POST", `/v1/endpoints/${creation.id}/update`)).json, creation);
  assert.equal((await ask("DELETE", `/v1/endpoints/${creation.id}`)).status, 204);
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const body = JSON.stringify({ name: "as a form", imageName: "i" });
  assert.equal((await service.call("POST", "/v1/templates", body, form)).status, 200);
});
