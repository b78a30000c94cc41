// Tests of the catalog over GraphQL: prices for all requested GPUs, and actual stock.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { simulatedService } from "../pods/fixture.ts";
import { ask } from "./ask.ts";

const offer = (input: string) => `{ gpuTypes(input: {id: "NVIDIA A40"}) {
  id displayName memoryInGb secureCloud communityCloud maxGpuCount securePrice
  lowestPrice(input: {${input}}) { gpuName gpuTypeId minimumBidPrice uninterruptablePrice stockStatus
    availableGpuCounts minVcpu minMemory maxGpuCount maxUnreservedGpuCount } } }`;

test("prices cover all requested GPUs, and stock falls with use, to null if nothing is free", async (t) => {
  const service = await simulatedService(t);
  const lowestPriceOf = async (input: string) =>
    (await ask(service, offer(input))).gpuTypes[0].lowestPrice;
  assert.deepEqual(await lowestPriceOf("gpuCount: 2, secureCloud: true"), {
    gpuName: "A40",
    gpuTypeId: "NVIDIA A40",
    minimumBidPrice: 0.44,
    uninterruptablePrice: 0.88,
    stockStatus: "Medium",
    availableGpuCounts: [1, 2, 3, 4, 5, 6, 7, 8],
    minVcpu: 4,
    minMemory: 16,
    maxGpuCount: 8,
    maxUnreservedGpuCount: 8,
  });
  assert.equal((await lowestPriceOf("gpuCount: 1, secureCloud: false")).uninterruptablePrice, 0.35);
  assert.equal((await lowestPriceOf("")).stockStatus, "High");
  const rent = (gpuCount: number) =>
    service.call("POST", "/v1/pods", {
      driver: "simulated",
      imageName: "i",
      gpuTypeIds: ["NVIDIA A40"],
      gpuCount,
    });
  await rent(6);
  const few = await lowestPriceOf("gpuCount: 2");
  assert.deepEqual([few.stockStatus, few.availableGpuCounts], ["Low", [1, 2]]);
  assert.equal((await lowestPriceOf("gpuCount: 3")).stockStatus, null);
  await rent(2);
  const none = await lowestPriceOf("gpuCount: 1");
  assert.deepEqual([none.stockStatus, none.availableGpuCounts, none.minVcpu], [null, [], null]);
  assert.equal(none.uninterruptablePrice, 0.35);
});

test("types are found by id, by ids and by alias; an unknown one gives an empty list", async (t) => {
  const service = await startService(t);
  const ids = async (input: string) =>
    (await ask(service, `{ gpuTypes${input} { id lowestPrice { stockStatus } } }`)).gpuTypes.map(
      ({ id }: { id: string }) => id,
    );
  assert.ok((await ids("")).length >= 40);
  assert.ok((await ids("(input: null)")).length >= 40);
  assert.ok((await ids('(input: {id: ""})')).length >= 40);
  assert.deepEqual(await ids('(input: {id: "nope"})'), []);
  assert.deepEqual(await ids("(input: {ids: []})"), []);
  assert.deepEqual(await ids('(input: {id: "NVIDIA  A30"})'), ["NVIDIA A30"]);
  assert.deepEqual(await ids('(input: {ids: ["NVIDIA L4", "NVIDIA A40"]})'), [
    "NVIDIA A40",
    "NVIDIA L4",
  ]);
});

test("the declarations of machines decide where there is stock", async (t) => {
  const machine = {
    vcpus: 64,
    memoryInGb: 256,
    diskInGb: 900,
    dataCenterId: "EU-RO-1",
    cudaVersion: "12.4",
    cloudType: "COMMUNITY",
  };
  const service = await simulatedService(t, { env: { FREEHOLD_MACHINE: JSON.stringify(machine) } });
  const stock = async (input: string) =>
    (await ask(service, offer(input))).gpuTypes[0].lowestPrice.stockStatus;
  const rows: [input: string, level: string | null][] = [
    ['dataCenterId: "EU-RO-1"', "High"],
    ['dataCenterId: "US-IL-1"', null],
    ['countryCode: "ro"', "High"],
    ['countryCode: "US"', null],
    ["secureCloud: true", null],
    ["secureCloud: false", "High"],
    ['allowedCudaVersions: ["12.4", null]', "High"],
    ['minCudaVersion: "12.8"', null],
    ['minCudaVersion: "11.8", dataCenterId: "", minDisk: 0, totalDisk: 0', "High"],
    ['minCudaVersion: "99.9"', null],
  ];
  for (const [input, level] of rows) assert.equal(await stock(input), level, input);
  const { countryCodes, dataCenters } = await ask(
    service,
    "{ countryCodes dataCenters { id gpuAvailability { gpuTypeId available stockStatus } } }",
  );
  assert.deepEqual(countryCodes, ["RO"]);
  const { gpuTypes } = await ask(
    service,
    '{ gpuTypes(input: {id: "NVIDIA A40"}) { nodeGroupDatacenters { id location } } }',
  );
  assert.deepEqual(
    gpuTypes[0].nodeGroupDatacenters.map(({ id }: { id: string }) => id),
    ["EU-RO-1"],
  );
  for (const { id, gpuAvailability } of dataCenters) {
    const a40 = gpuAvailability.find(
      (each: { gpuTypeId: string }) => each.gpuTypeId === "NVIDIA A40",
    );
    assert.equal(a40.available, id === "EU-RO-1", id);
    assert.equal(a40.stockStatus, id === "EU-RO-1" ? "High" : null);
  }
});

test("flavors have prices and stock, pools have types, machines have their inventory", async (t) => {
  const service = await simulatedService(t);
  const { cpuFlavors, serverlessGpuPools, machines, cpuTypes } = await ask(
    service,
    `{ cpuFlavors { id displayName groupId minVcpu maxVcpu ramMultiplier diskLimitPerVcpu
         each: specifics(input: {dataCenterId: "EU-RO-1"}) { stockStatus securePrice }
         whole: specifics(input: {dataCenterId: "EU-RO-1", instanceId: "cpu3c-4-8"}) { stockStatus securePrice } }
       serverlessGpuPools { id gpuTypeIds } machines { id listed gpuTotal gpuType { id } } cpuTypes { id } }`,
  );
  assert.deepEqual(cpuFlavors[0], {
    id: "cpu3c",
    displayName: "Compute-Optimized",
    groupId: "cpu3c",
    minVcpu: 2,
    maxVcpu: 32,
    ramMultiplier: 2,
    diskLimitPerVcpu: 10,
    each: { stockStatus: "High", securePrice: 0.06 },
    whole: { stockStatus: "High", securePrice: 0.12 },
  });
  assert.equal(cpuFlavors[1].whole.stockStatus, null);
  const ada = serverlessGpuPools.find(({ id }: { id: string }) => id === "ADA_24");
  assert.deepEqual(ada.gpuTypeIds, ["NVIDIA GeForce RTX 4090"]);
  assert.deepEqual(
    [machines.length, machines[0].listed, machines[0].gpuTotal > 100],
    [1, true, true],
  );
  assert.equal(cpuTypes.length, cpuFlavors.length);
});

test("types for clusters are those with enough GPUs for two Pods", async (t) => {
  const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 2, "NVIDIA L4": 1}' };
  const service = await startService(t, { env });
  const typesOf = async (input: string) => {
    const fields = "id clusterPrice nodeGroupDatacenters { id }";
    const { gpuTypes } = await ask(service, `{ gpuTypes(input: {${input}}) { ${fields} } }`);
    return gpuTypes;
  };
  const { dataCenters } = await ask(service, "{ dataCenters { id } }");
  const a40 = { id: "NVIDIA A40", clusterPrice: 0.35, nodeGroupDatacenters: dataCenters };
  assert.deepEqual(await typesOf("cluster: true"), [a40]);
  assert.deepEqual(await typesOf('ids: ["NVIDIA L4"], cluster: true'), []);
  const [l4] = await typesOf('id: "NVIDIA L4"');
  assert.deepEqual(l4.nodeGroupDatacenters, [], "one GPU is no cluster");
  assert.ok((await typesOf("cluster: false")).length > 2);
});
