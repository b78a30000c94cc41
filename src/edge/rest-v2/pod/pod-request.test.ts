import assert from "node:assert/strict";
import { test } from "node:test";
import { newPodFrom } from "./pod-request.ts";

test("without a template a Pod has no port and no volume", () => {
  const { request, services } = newPodFrom({
    name: "p",
    image: "i",
    cpu: { id: "cpu3c", vcpuCount: 2 },
  });
  assert.deepEqual(request, {
    ports: [],
    imageName: "i",
    volumeInGb: 0,
    computeType: "CPU",
    cpuFlavorIds: ["cpu3c"],
    vcpuCount: 2,
    allowedCudaVersions: [],
    cloudType: "SECURE",
  });
  assert.deepEqual(services, { ssh: false, jupyter: false });
});

test("with a template, only what the body names is set", () => {
  const { request } = newPodFrom({ name: "p", templateId: "t", gpu: { id: "g" } });
  assert.deepEqual(request, {
    templateId: "t",
    computeType: "GPU",
    gpuTypeIds: ["g"],
    gpuCount: 1,
    cloudType: "SECURE",
  });
});
