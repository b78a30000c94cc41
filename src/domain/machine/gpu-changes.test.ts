import assert from "node:assert/strict";
import { test } from "node:test";
import { changedGpus, gpuNumbers, missingGpus } from "./gpu-changes.ts";

const group = (indices: number[], virtual = false) => {
  return { gpuTypeId: "NVIDIA A40", memoryMb: 46_068, virtual, indices };
};
const node = { remote: "c", name: "n1" };

test("GPUs that a reading no longer has, and those that it has again", () => {
  const before = { gpus: [group([0, 1]), group([1_000], true)] };
  const after = { gpus: [group([0]), group([2])] };
  assert.deepEqual(changedGpus(before, after), { lost: [1], back: [2] });
  assert.deepEqual(changedGpus({ ...before, node }, { ...after, node }), { lost: [], back: [] });
  assert.deepEqual(missingGpus({ gpus: [0, 1], virtual: false }, after), [1]);
  assert.deepEqual(missingGpus({ gpus: [1_000], virtual: true }, after), []);
  assert.deepEqual(missingGpus({ gpus: [1], virtual: false }, { ...after, node }), []);
});

test("a sentence lists the numbers of GPUs", () => {
  assert.equal(gpuNumbers([1]), "GPU 1");
  assert.equal(gpuNumbers([1, 3]), "GPUs 1 and 3");
  assert.equal(gpuNumbers([0, 1, 3]), "GPUs 0, 1 and 3");
});
