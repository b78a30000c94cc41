import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInCatalog } from "../../config/catalog/read.ts";
import { nearestGpuType } from "./unknown-names.ts";

const { gpuTypes } = builtInCatalog();

const rows: [name: string, id: string | null][] = [
  ["RTX 4090", "NVIDIA GeForce RTX 4090"],
  ["NVIDIA RTX 4090", "NVIDIA GeForce RTX 4090"],
  ["GeForce 4090", "NVIDIA GeForce RTX 4090"],
  ["rtx4090", "NVIDIA GeForce RTX 4090"],
  ["NVIDIA GeForce RTX 4O90", "NVIDIA GeForce RTX 4090"],
  ["L40", "NVIDIA L40"],
  ["H100 SXM", "NVIDIA H100 80GB HBM3"],
  ["NVIDIA H100 80GB PCIe", "NVIDIA H100 PCIe"],
  ["A100 80GB", "NVIDIA A100 80GB PCIe"],
  ["NVIDIA B200 180GB", "NVIDIA B200"],
  ["nvidia a40", "NVIDIA A40"],
  ["TPU v4", null],
];

for (const [name, id] of rows) {
  test(`"${name}" means ${id}`, () => {
    assert.equal(nearestGpuType(gpuTypes, name), id);
  });
}
