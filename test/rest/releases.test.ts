// Tests of which changes of an endpoint or its template are a release, and which take effect in
// place.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { make, makeTemplate } from "./make-endpoint.ts";

const inPlace = {
  name: "n",
  executionTimeoutMs: 5_000,
  flashboot: false,
  idleTimeout: 1,
  scalerType: "REQUEST_COUNT",
  scalerValue: 9,
  workersMax: 9,
  workersMin: 1,
};
const released = {
  allowedCudaVersions: ["12.4"],
  dataCenterIds: ["EU-RO-1"],
  gpuCount: 2,
  gpuTypeIds: ["NVIDIA A40"],
  minCudaVersion: "12.4",
  cpuFlavorIds: ["cpu3c"],
  vcpuCount: 8,
};

test("settings in place keep the version, and any other change increments it once", async (t) => {
  const service = await startService(t);
  const { json: endpoint } = await make(service);
  const address = `/v1/endpoints/${endpoint.id}`;
  for (const [key, value] of Object.entries(inPlace)) {
    const { json } = await service.call("PATCH", address, { [key]: value });
    assert.deepEqual([key, json[key], json.version], [key, value, 1]);
  }
  let version = 1;
  for (const [key, value] of Object.entries(released)) {
    const { json } = await service.call("POST", `${address}/update`, { [key]: value });
    assert.deepEqual([key, json.version], [key, ++version]);
    const again = await service.call("PATCH", address, { [key]: value });
    assert.deepEqual([key, again.json.version], [key, version]);
  }
  const other = await makeTemplate(service);
  const moved = await service.call("PATCH", address, { templateId: other });
  assert.equal(moved.json.templateId, other);
  assert.equal(moved.json.version, version + 1);
  const cleared = await service.call("PATCH", address, { minCudaVersion: null });
  assert.equal("minCudaVersion" in cleared.json, false);
});

test("a change is validated against the current settings", async (t) => {
  const service = await startService(t);
  const { json: endpoint } = await make(service, { workersMin: 2 });
  const address = `/v1/endpoints/${endpoint.id}`;
  const refused = await service.call("PATCH", address, { workersMax: 1, gpuCount: 2 });
  assert.equal(refused.status, 400);
  assert.match(refused.json.message, /"workersMin" is 2 .* "workersMax", 1/);
  const fixed = await service.call("PATCH", address, { computeType: "CPU" });
  assert.equal(fixed.json.code, "unknown_field");
  assert.deepEqual((await service.call("GET", address)).json, endpoint);
});

test("a template's change is a release of every endpoint that uses it", async (t) => {
  const service = await startService(t);
  const templateId = await makeTemplate(service);
  const create = () => service.call("POST", "/v1/endpoints", { templateId });
  const ids = [(await create()).json.id, (await create()).json.id];
  const versions = async () => {
    const all = await Promise.all(ids.map((id) => service.call("GET", `/v1/endpoints/${id}`)));
    return all.map(({ json }) => json.version);
  };
  const template = `/v1/templates/${templateId}`;
  for (const change of [{ readme: "r" }, { volumeInGb: 0 }, { isPublic: true }, { env: {} }]) {
    await service.call("PATCH", template, change);
    assert.deepEqual(await versions(), [1, 1]);
  }
  await service.call("PATCH", template, { env: { A: "1" }, ports: [] });
  assert.deepEqual(await versions(), [2, 2]);
  const read = await service.call("GET", `/v1/endpoints/${ids[0]}`);
  assert.deepEqual(read.json.env, { A: "1" });
});
