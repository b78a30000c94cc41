import assert from "node:assert/strict";
import { test } from "node:test";
import { StartRefused } from "../../drivers/driver.ts";
import { assignedGpus } from "./assigned-gpus.ts";

const gpuNumbers = { "GPU-a": 0, "GPU-b": 1 };
const on = (gpus: number[], virtual = false) => ({ gpuTypeId: "NVIDIA A40", gpus, virtual });

test("a driver gets the UUIDs of GPUs, and no number that has none", () => {
  assert.deepEqual(assignedGpus(on([1, 0]), { gpuNumbers }), {
    gpuIndices: [1, 0],
    gpuUuids: ["GPU-b", "GPU-a"],
  });
  const node = { render: "/dev/dri/renderD129", group: 992 };
  assert.deepEqual(assignedGpus(on([1]), { gpuNumbers, gpuNodes: { "GPU-b": node } }), {
    gpuIndices: [1],
    gpuUuids: ["GPU-b"],
    gpuNodes: [node],
  });
  const share = { gpuTypeId: "NVIDIA A40 MPS 1/3 15GB", gpus: [100_000_101], virtual: false };
  assert.deepEqual(assignedGpus(share, { gpuNumbers }), {
    gpuIndices: [1],
    gpuUuids: ["GPU-b"],
    mpsLimits: { memoryInGb: 15, computePercent: 33 },
  });
  assert.deepEqual(assignedGpus(on([1]), {}), { gpuIndices: [1] });
  assert.deepEqual(assignedGpus(on([]), { gpuNumbers }), {});
  assert.deepEqual(assignedGpus(on([1_000], true), { gpuNumbers }), {
    simulatedGpus: { gpuTypeId: "NVIDIA A40", indices: [1_000] },
  });
  assert.throws(
    () => assignedGpus(on([0, 2]), { gpuNumbers }),
    (error) =>
      error instanceof StartRefused && /does not list its GPUs 0 and 2/.test(error.message),
  );
});
