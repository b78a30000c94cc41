import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInCatalog } from "../../config/catalog/read.ts";
import { type Hardware, inventoryOf } from "./inventory.ts";

const catalog = builtInCatalog();
const bare: Hardware = {
  vcpus: 4,
  memoryMb: 16_000,
  diskGb: 200,
  gpus: [],
  gpuDriver: null,
  cudaVersion: null,
};
const a40 = (index: number) => ({ index, name: "NVIDIA A40", memoryMb: 46_068 });

test("an undeclared attribute is unknown and matches anything", () => {
  const inventory = inventoryOf(catalog, bare, {}, {});
  assert.deepEqual([inventory.vcpus, inventory.memoryMb, inventory.diskGb], [4, 16_000, 200]);
  const { dataCenterId, countryCode, cloudType, cudaVersion, supportPublicIp } = inventory;
  for (const each of [dataCenterId, countryCode, cloudType, cudaVersion, supportPublicIp]) {
    assert.equal(each, null);
  }
});

test("a declared attribute replaces the observed one, and a data center implies its country", () => {
  const declared = { vcpus: 2, memoryInGb: 8, diskInGb: 50, dataCenterId: "EU-RO-1" };
  const inventory = inventoryOf(catalog, bare, declared, {});
  assert.deepEqual([inventory.vcpus, inventory.memoryMb, inventory.diskGb], [2, 8_192, 50]);
  assert.deepEqual([inventory.countryCode, inventory.location], ["RO", "Romania"]);
});

test("GPUs of one type are a group under the catalog's name", () => {
  const odd = { index: 2, name: "NVIDIA RTX A30", memoryMb: 24_576 };
  const { gpus } = inventoryOf(catalog, { ...bare, gpus: [a40(0), odd, a40(1)] }, {}, {});
  assert.deepEqual(gpus, [
    { gpuTypeId: "NVIDIA A40", memoryMb: 46_068, virtual: false, indices: [0, 1] },
    { gpuTypeId: "NVIDIA A30", memoryMb: 24_576, virtual: false, indices: [2] },
  ]);
});

test("simulated GPUs have their own indices, and do not exist for real types", () => {
  const desired = Object.fromEntries(catalog.gpuTypes.map(({ id }) => [id, 8]));
  const { gpus } = inventoryOf(catalog, { ...bare, gpus: [a40(0)] }, {}, desired);
  const indices = gpus.flatMap((group) => group.indices);
  assert.equal(new Set(indices).size, indices.length);
  assert.equal(gpus.length, catalog.gpuTypes.length);
  assert.equal(gpus.filter(({ gpuTypeId }) => gpuTypeId === "NVIDIA A40").length, 1);
  assert.equal(indices.length, 8 * (catalog.gpuTypes.length - 1) + 1);
});
