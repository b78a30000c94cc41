import assert from "node:assert/strict";
import { test } from "node:test";
import { sliceNumbers } from "../../../domain/machine/cluster-slices.ts";
import { podObject } from "./pod-object.ts";

test("a container requests its GPUs by their resource, and simulated ones by none", () => {
  const rows: [gpuIndices: number[], gpus: Record<string, string>][] = [
    [[], {}],
    [[0, 3], { "amd.com/gpu": "2" }],
    [[1_000, 120_001], {}],
    [sliceNumbers("1g.10gb", 2)!, { "nvidia.com/mig-1g.10gb": "2" }],
    [sliceNumbers("1g.10gb.me", 1)!, { "nvidia.com/mig-1g.10gb.me": "1" }],
  ];
  const owner = { installation: "i", machine: "m" };
  const node = { name: "n1", gpuResource: "amd.com/gpu", gpuRuntimeClass: "gpus" };
  for (const [gpuIndices, gpus] of rows) {
    const start = { entrypoint: [], command: [], env: {} };
    const workload = { id: "w", image: "i", ...start, resources: { vcpu: 1, gpuIndices } };
    const { spec } = podObject(workload, owner, node);
    const [container] = spec.containers;
    assert.deepEqual(container!.resources.limits, { cpu: "1000m", ...gpus });
    assert.equal(spec.runtimeClassName, Object.keys(gpus).length > 0 ? "gpus" : undefined);
  }
});
