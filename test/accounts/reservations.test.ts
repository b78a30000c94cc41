// Tests of reservations: who may make them, and that nothing of others takes a reserved GPU.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../fixtures/until.ts";
import { simulatedService } from "../pods/fixture.ts";
import { join } from "./join.ts";

const A40 = "NVIDIA A40";
const POD = { driver: "simulated", imageName: "i", gpuTypeIds: [A40], volumeInGb: 0 };
const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 4}' };
const ahead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

test("what is reserved goes to its holder alone, in every kind of workload", async (t) => {
  const service = await simulatedService(t, { env });
  const ada = await join(service, "dev", "Ada");
  const eve = await join(service, "admin", "Eve");
  const body = { gpuTypeId: A40, gpuCount: 3, until: ahead(2), note: "training" };
  const { status, text, json: reserved } = await ada.call("POST", "/v1/reservations", body);
  assert.equal(status, 201, text);
  assert.deepEqual(
    [reserved.active, reserved.gpuCount, reserved.createdBy.name, reserved.note],
    [true, 3, "Ada", "training"],
  );
  const path = `/v1/reservations/${reserved.id}`;

  // One of four is free for others.
  assert.equal((await eve.call("POST", "/v1/pods", POD)).status, 201);
  const refused = await eve.call("POST", "/v1/pods", POD);
  assert.match(refused.text, /3 of 4 NVIDIA A40 are reserved for Ada until /);
  const cluster = await eve.call("POST", "/v2/clusters", {
    name: "c",
    image: "i",
    compute: { gpuTypeId: A40, gpuCountPerPod: 1, podCount: 2 },
  });
  assert.notEqual(cluster.status, 201);
  const { json: quote } = await eve.call("POST", "/v1/quote", { pod: POD });
  assert.match(JSON.stringify(quote), /3 of 4 NVIDIA A40 are reserved for Ada/);
  const template = { name: "t", imageName: "i", driver: "simulated", isServerless: true };
  const { json } = await eve.call("POST", "/v1/templates", template);
  const endpoint = { name: "e", templateId: json.id, gpuTypeIds: [A40], workersMin: 1 };
  const { json: served } = await eve.call("POST", "/v1/endpoints", endpoint);
  await until(async () => {
    const why = await eve.call("GET", `/v1/why/${served.id}`);
    return /3 of 4 NVIDIA A40 are reserved for Ada/.test(why.text);
  });

  // Its holder gets it, and what runs on it fills it.
  const own = await ada.call("POST", "/v1/pods", POD);
  assert.equal(own.status, 201, own.text);
  assert.match((await eve.call("POST", "/v1/pods", POD)).text, /2 of 4 NVIDIA A40 are reserved/);
  // A place that its holder gives back stays reserved.
  await ada.call("DELETE", `/v1/pods/${own.json.id}`);
  assert.match((await eve.call("POST", "/v1/pods", POD)).text, /3 of 4 NVIDIA A40 are reserved/);

  // Once it is cancelled, the endpoint's worker starts.
  assert.equal((await service.call("DELETE", path)).status, 204);
  await until(async () => {
    const { json: workers } = await eve.call("GET", `/v1/endpoints/${served.id}/workers`);
    return workers.length > 0;
  });
  assert.equal((await ada.call("GET", path)).status, 404);
  assert.deepEqual((await ada.call("GET", "/v1/reservations")).json, []);
});

test("reservations are refused beyond what there is, and by whose they are not", async (t) => {
  const service = await simulatedService(t, { env });
  const grace = await join(service, "member", "Grace");
  const ada = await join(service, "dev", "Ada");
  const reserve = (changes: object, by: Pick<typeof ada, "call"> = ada) =>
    by.call("POST", "/v1/reservations", {
      ...{ gpuTypeId: A40, gpuCount: 3, from: ahead(10), until: ahead(12) },
      ...changes,
    });
  const first = await reserve({});
  assert.equal(first.status, 201, first.text);
  const full = await reserve({ gpuCount: 2, from: ahead(11), until: ahead(14) }, grace);
  assert.equal(full.status, 409);
  assert.match(full.text, /3 of 4 NVIDIA A40 are reserved from .* until .*, and 2 more are asked/);
  const after = await reserve({ gpuCount: 2, from: ahead(12.1), until: ahead(14) }, grace);
  assert.equal(after.status, 201, after.text);
  assert.match((await reserve({ until: ahead(9) })).text, /\\"until\\" must be after \\"from\\"/);
  assert.match((await reserve({ from: ahead(-3), until: ahead(-2) })).text, /is in the past/);
  assert.match((await reserve({ until: ahead(24 * 91) })).text, /more than 90 days ahead/);
  assert.match((await reserve({ gpuTypeId: "NVIDIA A4" })).text, /NVIDIA A40/);
  assert.equal((await reserve({ projectId: "none" })).status, 404);

  // One that has not begun keeps nothing free.
  const four = { ...POD, gpuCount: 4 };
  assert.equal((await service.call("POST", "/v1/pods", four)).status, 201);

  const list = (query = "") => grace.call("GET", `/v1/reservations${query}`);
  assert.equal((await list()).json.length, 2);
  assert.equal((await list("?createdBy=me")).json.length, 1);
  assert.equal((await list(`?from=${ahead(13)}`)).json.length, 1);
  assert.equal((await list(`?until=${ahead(9)}`)).json.length, 0);
  assert.equal((await grace.call("DELETE", `/v1/reservations/${first.json.id}`)).status, 403);
  assert.equal((await grace.call("DELETE", `/v1/reservations/${after.json.id}`)).status, 204);
});
