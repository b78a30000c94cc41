// Tests that GPUs which several Pods get are not offered as whole ones, however a cluster shows it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInCatalog } from "../../../config/catalog/read.ts";
import { hardwareOf, nodeViewOf } from "./node-view.ts";
import { gpuNotice } from "./notices.ts";

const metadata = { name: "n1", uid: "u1", resourceVersion: "1" };
const catalog = builtInCatalog();

test("GPUs that labels call shared, or count less often than the plugin, are not offered", () => {
  const google = "cloud.google.com/gke";
  for (const [labels, count, fix = "its device plugin"] of [
    [{ "nvidia.com/gpu.replicas": "4" }, 0],
    [{ "nvidia.com/gpu.sharing-strategy": "mps" }, 0],
    [{ "nvidia.com/gpu.replicas": "1", "nvidia.com/gpu.sharing-strategy": "none" }, 4],
    // HAMi's device plugin offers each GPU as often as its deviceSplitCount says, and labels nothing.
    [{ "nvidia.com/gpu.count": "1", "nvidia.com/gpu.replicas": "1" }, 0, "offers 4 for the 1"],
    [{ "nvidia.com/gpu.count": "2" }, 0, "deviceSplitCount 1"],
    // A GPU that was lost or added is counted before the plugin restarts.
    [{ "nvidia.com/gpu.count": "3" }, 4],
    [{ "nvidia.com/gpu.count": "8" }, 4],
    [{ [`${google}-gpu-sharing-strategy`]: "time-sharing" }, 0, "a node pool without GPU sharing"],
    [{ [`${google}-max-shared-clients-per-gpu`]: "4" }, 0, "a node pool without GPU sharing"],
  ] as [Record<string, string>, number, string?][]) {
    const all = { "nvidia.com/gpu.product": "NVIDIA-A40", ...labels };
    const status = { allocatable: { "nvidia.com/gpu": "4" } };
    const node = nodeViewOf({ metadata: { ...metadata, labels: all }, status });
    const notice = gpuNotice(catalog, node) ?? "";
    assert.equal(hardwareOf(catalog, node).gpus.length, count);
    assert.equal(notice.startsWith("Its GPUs are shared between Pods."), count === 0);
    assert.equal(notice.includes(fix), count === 0, notice);
  }
});

test("MIG devices that several Pods share are not offered as whole ones", () => {
  const resource = "nvidia.com/mig-1g.10gb";
  for (const [name, value, count] of [
    ["replicas", "4", 0],
    ["sharing-strategy", "time-slicing", 0],
    ["product", "NVIDIA-H100-80GB-HBM3-MIG-1g.10gb-SHARED", 0],
    ["replicas", "1", 28],
  ] as const) {
    const labels = {
      "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3",
      [`${resource}.${name}`]: value,
    };
    const status = { allocatable: { [resource]: "28" } };
    const node = nodeViewOf({ metadata: { ...metadata, labels }, status });
    assert.equal(hardwareOf(catalog, node).gpus.length, count);
    assert.equal(/shared between Pods/.test(gpuNotice(catalog, node) ?? ""), count === 0);
  }
});
