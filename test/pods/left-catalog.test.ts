// What Pods and endpoints were created with, and the operator's catalog has no longer.

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { newDataFolder } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { simulatedService } from "./fixture.ts";

const prices = {
  securePrice: 0.5,
  communityPrice: 0.4,
  secureSpotPrice: 0.2,
  communitySpotPrice: 0.2,
};
const gpuType = { id: "ACME Nova", displayName: "Nova", manufacturer: "ACME", memoryInGb: 12 };
const own = {
  gpuTypes: [{ ...gpuType, pool: null, ...prices }],
  cpuFlavors: [
    {
      id: "tiny",
      displayName: "Tiny",
      ramGbPerVcpu: 1,
      vcpuCounts: [2],
      pricePerVcpu: 0.01,
      serverless: true,
    },
  ],
  dataCenters: [{ id: "HOME-1", location: "Home", countryCode: "CH", region: "EUROPE" }],
};

/** Starts a service on the same data, first with the catalog and then without what it adds. */
function services(t: TestContext) {
  const dataFolder = newDataFolder();
  const gpus = [{ name: "ACME Nova", memoryMb: 12_288, count: 2 }];
  writeFileSync(path.join(dataFolder, "freehold.gpus.json"), JSON.stringify({ gpus }));
  const catalog = path.join(mkdtempSync(path.join(tmpdir(), "freehold-catalog-")), "catalog.json");
  return (content: object) => {
    writeFileSync(catalog, JSON.stringify(content));
    const env = { FREEHOLD_CATALOG: catalog };
    return simulatedService(t, { replicas: null, dataFolder, env });
  };
}

const simulated = { driver: "simulated", imageName: "i", volumeInGb: 0, containerDiskInGb: 1 };

test("a Pod of what left the catalog is refused its start, keeps its settings, and starts once it is back", async (t) => {
  const serviceWith = services(t);
  const before = await serviceWith(own);
  const create = async (more: object) => {
    const { json, status, text } = await before.call("POST", "/v1/pods", { ...simulated, ...more });
    assert.equal(status, 201, text);
    await before.call("POST", `/v1/pods/${json.id}/stop`);
    return json.id as string;
  };
  const cpu = { computeType: "CPU", vcpuCount: 2 };
  const onCpu = await create({ ...cpu, cpuFlavorIds: ["tiny"] });
  const onGpu = await create({ gpuTypeIds: ["ACME Nova"] });
  const inCenter = await create({ ...cpu, dataCenterIds: ["HOME-1"] });
  await before.stop();

  const after = await serviceWith({});
  const refused = async (id: string) => {
    const { status, json } = await after.call("POST", `/v1/pods/${id}/start`);
    assert.deepEqual([status, json.code], [400, "no_longer_offered"]);
    return json.error;
  };
  assert.match(await refused(onCpu), /no longer offers CPUs of the flavor tiny with 2 vCPUs/);
  assert.match(await refused(onGpu), /no longer offers GPUs of the type ACME Nova/);
  assert.match(await refused(inCenter), /no longer offers Pods in the data center HOME-1/);
  const query = `mutation { podResume(input: {podId: "${onCpu}"}) { id } }`;
  const { json: resumed } = await after.call("POST", "/graphql", { query });
  assert.equal(resumed.errors[0].extensions.code, "no_longer_offered");
  const again = await after.call("POST", `/v2/pods/${onCpu}/action`, { action: "start" });
  assert.deepEqual([again.status, /flavor tiny/.test(again.text)], [400, true]);
  const quote = await after.call("POST", "/v1/quote", { existingPod: { podId: onCpu } });
  assert.equal(quote.status, 400, quote.text);
  assert.equal(quote.json.code, "no_longer_offered");
  const changed = await after.call("PATCH", `/v1/pods/${onCpu}`, { env: { A: "1" } });
  assert.deepEqual([changed.status, changed.json.env], [200, { A: "1" }], changed.text);
  const reset = await after.call("POST", `/v1/pods/${onGpu}/reset`);
  assert.equal(reset.status, 200, reset.text);
  const priced = await after.call("PATCH", "/v1/price-book", {
    cpuFlavors: [{ id: "cpu3c", pricePerVcpu: 0.07 }],
  });
  assert.equal(priced.status, 200, priced.text);
  const bare = `mutation { podResume(input: {podId: "${onGpu}", gpuCount: 0}) { id } }`;
  const { json: started } = await after.call("POST", "/graphql", { query: bare });
  assert.deepEqual(started.data, { podResume: { id: onGpu } });
  await after.stop();

  const back = await serviceWith(own);
  const { status, json, text } = await back.call("POST", `/v1/pods/${onCpu}/start`);
  assert.deepEqual([status, json.costPerHr], [200, 0.02], text);
});

test("an endpoint of what left the catalog gets no worker at no charge, and says why", async (t) => {
  const serviceWith = services(t);
  const before = await serviceWith(own);
  const spec = { workersMin: 0, workersMax: 1 };
  const template = { driver: "simulated" as const };
  const [cpu, gpu] = await Promise.all([
    before.makeEndpoint({
      template,
      spec: { ...spec, computeType: "CPU", cpuFlavorIds: ["tiny"], vcpuCount: 2 },
    }),
    before.makeEndpoint({ template, spec: { ...spec, gpuTypeIds: ["ACME Nova"] } }),
  ]);
  await before.stop();
  const after = await serviceWith({});
  for (const [endpoint, what] of [
    [cpu, "CPUs of the flavor tiny"],
    [gpu, "GPUs of the type ACME Nova"],
  ] as const) {
    const { json: job } = await after.call("POST", `/v2/${endpoint}/run`, { input: {} });
    const why = await until(async () => {
      const { json } = await after.call("GET", `/v1/why/${job.id}`);
      return JSON.stringify(json).includes("does not offer") ? json : null;
    });
    assert.ok(JSON.stringify(why).includes(`the catalog does not offer ${what}`));
    const { json: workers } = await after.call("GET", `/v1/endpoints/${endpoint}/workers`);
    assert.deepEqual(workers, []);
  }
});
