// The catalog over GraphQL: prices for all GPUs that are asked for, and stock as it really is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startHouse } from "../house.ts";
import { fakeHouse } from "../pods/stage.ts";
import { ask } from "./ask.ts";

const offer = (input: string) => `{ gpuTypes(input: {id: "NVIDIA A40"}) {
  id displayName memoryInGb secureCloud communityCloud maxGpuCount securePrice
  lowestPrice(input: {${input}}) { gpuName gpuTypeId minimumBidPrice uninterruptablePrice stockStatus
    availableGpuCounts minVcpu minMemory maxGpuCount maxUnreservedGpuCount } } }`;

test("prices are for all GPUs, stock falls as they are taken, and is null where nothing is free", async (t) => {
  const house = await fakeHouse(t);
  const look = async (input: string) => (await ask(house, offer(input))).gpuTypes[0].lowestPrice;
  assert.deepEqual(await look("gpuCount: 2, secureCloud: true"), {
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
  assert.equal((await look("gpuCount: 1, secureCloud: false")).uninterruptablePrice, 0.35);
  assert.equal((await look("")).stockStatus, "High");
  const rent = (gpuCount: number) =>
    house.call("POST", "/v1/pods", {
      driver: "fake",
      imageName: "i",
      gpuTypeIds: ["NVIDIA A40"],
      gpuCount,
    });
  await rent(6);
  const few = await look("gpuCount: 2");
  assert.deepEqual([few.stockStatus, few.availableGpuCounts], ["Low", [1, 2]]);
  assert.equal((await look("gpuCount: 3")).stockStatus, null);
  await rent(2);
  const none = await look("gpuCount: 1");
  assert.deepEqual([none.stockStatus, none.availableGpuCounts, none.minVcpu], [null, [], null]);
  assert.equal(none.uninterruptablePrice, 0.35);
});

test("types are found by id, by ids and by aliases; an unknown one is an empty list", async (t) => {
  const house = await startHouse(t);
  const ids = async (input: string) =>
    (await ask(house, `{ gpuTypes${input} { id lowestPrice { stockStatus } } }`)).gpuTypes.map(
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

test("what machines declare decides where there is stock", async (t) => {
  const machine = {
    vcpus: 64,
    memoryInGb: 256,
    diskInGb: 900,
    dataCenterId: "EU-RO-1",
    cudaVersion: "12.4",
    cloudType: "COMMUNITY",
  };
  const house = await fakeHouse(t, { env: { FREEHOLD_MACHINE: JSON.stringify(machine) } });
  const stock = async (input: string) =>
    (await ask(house, offer(input))).gpuTypes[0].lowestPrice.stockStatus;
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
    house,
    "{ countryCodes dataCenters { id gpuAvailability { gpuTypeId available stockStatus } } }",
  );
  assert.deepEqual(countryCodes, ["RO"]);
  for (const { id, gpuAvailability } of dataCenters) {
    const a40 = gpuAvailability.find(
      (each: { gpuTypeId: string }) => each.gpuTypeId === "NVIDIA A40",
    );
    assert.equal(a40.available, id === "EU-RO-1", id);
    assert.equal(a40.stockStatus, id === "EU-RO-1" ? "High" : null);
  }
});

test("flavors have prices and stock; pools their types; machines what they have", async (t) => {
  const house = await fakeHouse(t);
  const { cpuFlavors, serverlessGpuPools, machines, cpuTypes } = await ask(
    house,
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
    each: { stockStatus: "High", securePrice: 0.03 },
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
