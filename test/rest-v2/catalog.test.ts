// The catalog over REST v2: hardware types by name, filters, and availability.

import assert from "node:assert/strict";
import { test } from "node:test";
import { simulatedService } from "../pods/fixture.ts";
import { asker } from "./ask.ts";

const A40 = "/v2/catalog/gpus/NVIDIA%20A40";

test("types are listed and read by names with spaces", async (t) => {
  const ask = asker(await simulatedService(t));
  const { gpus } = await ask("GET", "/v2/catalog/gpus");
  const a40 = gpus.find(({ id }: { id: string }) => id === "NVIDIA A40");
  assert.deepEqual([a40.name, a40.pool, a40.memory], ["A40", "AMPERE_48", 48]);
  assert.equal("availability" in a40, false);
  assert.deepEqual(await ask("GET", A40), a40);
  await ask("GET", "/v2/catalog/gpus/NVIDIA%2FNothing", undefined, 404);
  const { cpus } = await ask("GET", "/v2/catalog/cpus");
  assert.deepEqual(await ask("GET", "/v2/catalog/cpus/cpu3c"), cpus[0]);
  const { dataCenters } = await ask("GET", "/v2/catalog/datacenters?regions=OCEANIA,ASIA");
  assert.ok(dataCenters.length > 0);
  assert.ok(dataCenters.every(({ region }: { region: string }) => /OCEANIA|ASIA/.test(region)));
  assert.deepEqual(await ask("GET", "/v2/catalog/datacenters?globalNetwork=true"), {
    dataCenters: [],
  });
});

test("availability follows what is free", async (t) => {
  const ask = asker(await simulatedService(t));
  const query = "include=AVAILABILITY&product=POD";
  const free = await ask("GET", `${A40}?${query}`);
  assert.equal(free.availability, "HIGH");
  assert.ok(free.dataCenters.length > 0 && free.cudaVersions.length > 0);
  assert.equal((await ask("GET", `${A40}?${query}&count=99`)).availability, "NONE");
  assert.equal((await ask("GET", `${A40}?${query}&minCudaVersion=99`)).availability, "HIGH");
  const clusters = await ask("GET", `${A40}?include=AVAILABILITY&product=CLUSTER`);
  assert.equal(clusters.availability, "HIGH");
  const { cpus } = await ask("GET", `/v2/catalog/cpus?${query}&vcpuCount=2`);
  assert.equal(cpus[0].availability, "HIGH");
  const centers = "/v2/catalog/datacenters/EU-RO-1?include=GPU_AVAILABILITY,CPU_AVAILABILITY";
  const { gpuAvailability, cpuAvailability } = await ask("GET", centers);
  assert.ok(gpuAvailability.length > 0 && cpuAvailability.length > 0);
});

test("a filter without what it needs is 400, and a malformed one 422", async (t) => {
  const ask = asker(await simulatedService(t));
  for (const [query, status] of [
    ["product=POD", 400],
    ["include=AVAILABILITY", 400],
    ["count=2", 400],
    ["include=AVAILABILITY&product=POD&cudaVersions=12.4&minCudaVersion=12", 400],
    ["include=AVAILABILITY&product=TPU", 422],
    ["include=AVAILABILITY&product=POD&product=SERVERLESS", 422],
    ["include=AVAILABILITY&product=POD&minCudaVersion=new", 422],
    ["include=AVAILABILITY&product=POD&countryCodes=ro", 422],
  ] as const) {
    await ask("GET", `/v2/catalog/gpus?${query}`, undefined, status);
  }
});

test("public templates are community templates", async (t) => {
  const ask = asker(await simulatedService(t));
  const body = { name: "t", image: "i", public: true };
  const template = await ask("POST", "/v2/templates", body, 201);
  const community = await ask("GET", "/v2/catalog/templates?source=community");
  assert.deepEqual(community, { templates: [template] });
  assert.deepEqual(await ask("GET", "/v2/catalog/templates?source=verified"), { templates: [] });
});
