// Endpoints over HTTP: every field, its default and its bounds; what reads bring along; deletion.

import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInCatalog } from "../../src/app/catalog/read.ts";
import { idsOf } from "../../src/domain/catalog/catalog.ts";
import { findEndpoint, markEndpointDeleted } from "../../src/store/endpoint/endpoint.ts";
import { startHouse } from "../house.ts";
import { make, makeTemplate } from "./make-endpoint.ts";

test("an endpoint has the documented defaults", async (t) => {
  const house = await startHouse(t);
  const templateId = await makeTemplate(house, { env: { A: "1" } });
  const made = await house.call("POST", "/v1/endpoints", { templateId });
  assert.equal(made.status, 200, made.text);
  const { id, createdAt, userId, ...rest } = made.json;
  assert.match(id, /^[a-z0-9]{14}$/);
  assert.equal(new Date(createdAt).toISOString(), createdAt);
  assert.match(userId, /^user_/);
  assert.deepEqual(rest, {
    name: id,
    templateId,
    version: 1,
    computeType: "GPU",
    allowedCudaVersions: [],
    dataCenterIds: idsOf(builtInCatalog().dataCenters),
    env: { A: "1" },
    executionTimeoutMs: 600_000,
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
  assert.deepEqual((await house.call("GET", `/v1/endpoints/${id}`)).json, made.json);
  const listed = (await house.call("GET", "/v1/endpoints")).json;
  assert.ok(Array.isArray(listed));
  assert.deepEqual(
    listed.find((each: { id: string }) => each.id === id),
    made.json,
  );
});

test("every setting is kept, aliases by the catalog's own name", async (t) => {
  const house = await startHouse(t);
  const made = await make(house, {
    name: "e",
    computeType: "GPU",
    allowedCudaVersions: ["12.4", "12.4"],
    minCudaVersion: "11.8",
    dataCenterIds: ["eu-ro-1", "US-TX-3"],
    executionTimeoutMs: 0,
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
  assert.equal(made.status, 200, made.text);
  const wanted = {
    name: "e",
    allowedCudaVersions: ["12.4"],
    minCudaVersion: "11.8",
    dataCenterIds: ["EU-RO-1", "US-TX-3"],
    locations: "EU-RO-1,US-TX-3",
    executionTimeoutMs: 0,
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
  assert.partialDeepStrictEqual(made.json, wanted);
});

test("an endpoint on CPUs names its instances", async (t) => {
  const house = await startHouse(t);
  const made = await make(house, {
    computeType: "CPU",
    cpuFlavorIds: ["cpu3c", "cpu5g"],
    vcpuCount: 4,
  });
  assert.equal(made.json.computeType, "CPU");
  assert.deepEqual(made.json.instanceIds, ["cpu3c-4-8", "cpu5g-4-16"]);
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
  ["a GPU type", { gpuTypeIds: ["RTX 4090"] }, "invalid_body", /mean "NVIDIA GeForce RTX 4090"\?/],
  ["a data center", { dataCenterIds: ["MARS-1"] }, "invalid_body", /"MARS-1", which is not a data/],
  ["a flavor for Pods", { cpuFlavorIds: ["cpu3m"] }, "invalid_body", /"cpu3m", which is not a CPU/],
  ["a CUDA version", { minCudaVersion: "10.0" }, "invalid_body", /"10.0", which is not a CUDA/],
  ["a boolean as text", { flashboot: "true" }, "invalid_body", /true or false; it is "true"/],
  ["an unknown key", { workersmax: 1 }, "unknown_field", /Did you mean "workersMax"\?/],
  ["a read-only key", { version: 7 }, "unknown_field", /"version" cannot be set here/],
  ["a network volume", { networkVolumeId: "v" }, "invalid_body", /there is no "v"/],
  ["network volumes", { networkVolumeIds: ["v"] }, "invalid_body", /there is no "v"/],
  ["models", { modelReferences: ["m"] }, "not_offered", /Model references are not offered yet/],
  ["load balancing", { type: "LB" }, "not_offered", /Load-balancing endpoints are not offered/],
];

test("refused bodies", async (t) => {
  const house = await startHouse(t);
  const templateId = await makeTemplate(house);
  for (const [title, settings, code, says] of refusals) {
    await t.test(title, async () => {
      const answer = await house.call("POST", "/v1/endpoints", { templateId, ...settings });
      assert.equal(answer.status, 400, answer.text);
      assert.equal(answer.json.code, code, answer.text);
      assert.match(answer.json.message, says);
    });
  }
  assert.deepEqual((await house.call("GET", "/v1/endpoints")).json, []);
});

test("more workers at least than at most by default raises the most", async (t) => {
  const house = await startHouse(t);
  const made = await make(house, { workersMin: 5 });
  assert.equal(made.json.workersMax, 5);
});

test("an image alone cannot run as a process, and it is said at once", async (t) => {
  const house = await startHouse(t, { drivers: "process" });
  const refused = await make(house);
  assert.equal(refused.status, 400);
  assert.equal(refused.json.code, "no_start_command");
  assert.match(refused.json.message, /an image alone is not enough/);
  const templateId = await makeTemplate(house, { dockerStartCmd: ["true"] });
  const made = await house.call("POST", "/v1/endpoints", { templateId, workersMax: 0 });
  assert.equal(made.status, 200);
  const emptied = await house.call("PATCH", `/v1/templates/${templateId}`, { dockerStartCmd: [] });
  assert.equal(emptied.json.code, "no_start_command");
  const docker = await makeTemplate(house, { driver: "docker" });
  const elsewhere = await house.call("POST", "/v1/endpoints", { templateId: docker });
  assert.equal(elsewhere.status, 200);
});

test("includeTemplate and includeWorkers", async (t) => {
  const house = await startHouse(t);
  const { json: made } = await make(house, { name: "e" });
  const worker = await house.makeWorker(made.id);
  const { json } = await house.call(
    "GET",
    `/v1/endpoints/${made.id}?includeTemplate=true&includeWorkers=true`,
  );
  assert.equal(json.template.id, made.templateId);
  assert.equal(json.workers.length, 1);
  const [pod] = json.workers;
  assert.partialDeepStrictEqual(pod, {
    id: worker.id,
    endpointId: made.id,
    aiApiId: made.id,
    slsVersion: 1,
    desiredStatus: "RUNNING",
    image: "img",
    imageName: "img",
    env: {},
    templateId: made.templateId,
    costPerHr: 0,
  });
  assert.match(pod.lastStatusChange, /^starting since 20\d\d-/);
  const listed = await house.call("GET", "/v1/endpoints?includeTemplate=1&includeWorkers=1");
  assert.deepEqual(listed.json, [json]);
});

test("the same Idempotency-Key makes one endpoint, and answers the same after its end", async (t) => {
  const house = await startHouse(t);
  const templateId = await makeTemplate(house);
  const create = (key: string) =>
    house.call("POST", "/v1/endpoints", { templateId }, { "idempotency-key": key });
  const [one, two] = await Promise.all([create("k"), create("k")]);
  assert.deepEqual(one.json, two.json);
  assert.notEqual((await create("other")).json.id, one.json.id);
  await house.call("DELETE", `/v1/endpoints/${one.json.id}`);
  assert.deepEqual((await create("k")).json, one.json);
});

test("deleting: queued jobs end CANCELLED, the running one may finish, its worker drains", async (t) => {
  const house = await startHouse(t, { protocol: { pollHoldMs: 50 } });
  const { json: made } = await make(house);
  const worker = await house.makeWorker(made.id);
  const run = async () => (await house.call("POST", `/v2/${made.id}/run`, { input: {} })).json.id;
  const running = await run();
  assert.equal((await worker.call("job-take")).json.id, running);
  const waiting = house.call("POST", `/v2/${made.id}/runsync?wait=60000`, { input: {} });
  while ((await house.call("GET", `/v2/${made.id}/health`)).json.jobs.inQueue === 0);
  for (let n = 0; n < 450; n++) await run();
  const deleted = await house.call("DELETE", `/v1/endpoints/${made.id}`);
  assert.equal(deleted.status, 204);
  assert.equal(deleted.headers.get("content-type"), null);
  assert.equal(deleted.text, "");
  const ended = (await waiting).json;
  assert.equal(ended.status, "CANCELLED");
  assert.equal(ended.error, "its endpoint was deleted");
  assert.equal((await house.call("GET", `/v1/endpoints/${made.id}`)).status, 404);
  assert.equal((await house.call("POST", `/v2/${made.id}/run`, { input: {} })).status, 404);
  assert.equal((await house.call("DELETE", `/v1/endpoints/${made.id}`)).status, 404);
  const done = await worker.call(`job-done/${running}`, "", '{"output":1}');
  assert.deepEqual([done.status, done.json.status], [200, "ok"]);
});

test("a queue that was left when the service stopped is ended by the loop", async (t) => {
  const house = await startHouse(t);
  const { json: made } = await make(house);
  const waiting = house.call("POST", `/v2/${made.id}/runsync?wait=60000`, { input: {} });
  while ((await house.call("GET", `/v2/${made.id}/health`)).json.jobs.inQueue === 0);
  const endpoint = await house.house.store.read(findEndpoint, made.id);
  await house.house.store.write(markEndpointDeleted, endpoint!, Date.now());
  const { json } = await waiting;
  assert.deepEqual([json.status, json.error], ["CANCELLED", "its endpoint was deleted"]);
});

test("requests that announce JSON and carry none are answered", async (t) => {
  const house = await startHouse(t);
  const { json: made } = await make(house);
  const announced = { "content-type": "application/json" };
  const ask = (method: string, path: string) => house.call(method, path, undefined, announced);
  assert.equal((await ask("GET", "/v1/endpoints")).status, 200);
  assert.deepEqual((await ask("PATCH", `/v1/endpoints/${made.id}`)).json, made);
  assert.deepEqual((await ask("POST", `/v1/endpoints/${made.id}/update`)).json, made);
  assert.equal((await ask("DELETE", `/v1/endpoints/${made.id}`)).status, 204);
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const body = JSON.stringify({ name: "as a form", imageName: "i" });
  assert.equal((await house.call("POST", "/v1/templates", body, form)).status, 200);
});
