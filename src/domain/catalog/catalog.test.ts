import assert from "node:assert/strict";
import { test } from "node:test";
import { cpuInstanceId } from "./cpu-flavors.ts";
import { gpuIdsOf } from "./gpu-ids.ts";
import { canonicalGpuType, gpuPools, gpuTypeIds } from "./gpu-types.ts";

test("every alias and every pool member is a GPU type of the catalog", () => {
  assert.equal(canonicalGpuType("NVIDIA  RTX A4500"), "NVIDIA RTX A4500");
  assert.equal(canonicalGpuType("NVIDIA RTX A30"), "NVIDIA A30");
  assert.equal(canonicalGpuType("constructor"), null);
  for (const member of Object.values(gpuPools).flat()) assert.ok(gpuTypeIds.includes(member));
});

test("GPU types are written as pools, exclusions and types without a pool", () => {
  assert.equal(gpuIdsOf([]), "");
  assert.equal(gpuIdsOf(["NVIDIA GeForce RTX 4090"]), "ADA_24");
  assert.equal(gpuIdsOf(["NVIDIA A40", "NVIDIA RTX A6000", "Tesla T4"]), "AMPERE_48,Tesla T4");
  assert.equal(gpuIdsOf(["NVIDIA L4", "NVIDIA RTX A5000"]), "AMPERE_24,-NVIDIA GeForce RTX 3090");
});

test("an instance is named by flavor, CPUs and memory", () => {
  assert.equal(cpuInstanceId("cpu3g", 4), "cpu3g-4-16");
});
