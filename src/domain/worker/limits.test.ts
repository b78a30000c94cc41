import assert from "node:assert/strict";
import { test } from "node:test";
import { limitsOf, type Share, type WorkerLimits, workerSize } from "./limits.ts";

const machine = { vcpus: 8, memoryMb: 16_384 };
const none = { gpuTypeId: null, vcpus: 0, memoryMb: 0, diskGb: 0 };

const rows: [what: string, share: Partial<Share>, limits: WorkerLimits][] = [
  ["given nothing", {}, {}],
  ["on CPUs", { vcpus: 2, memoryMb: 4_096, diskGb: 20 }, { vcpu: 2, memoryMb: 4_096, diskGb: 20 }],
  ["more than there is", { vcpus: 32, memoryMb: 65_536 }, { vcpu: 8, memoryMb: 16_384 }],
  ["on a GPU", { gpuTypeId: "G", vcpus: 2, memoryMb: 8_192, diskGb: 50 }, { diskGb: 50 }],
];

for (const [what, share, limits] of rows) {
  test(`a worker ${what} may use ${JSON.stringify(limits)}`, () => {
    assert.deepEqual(limitsOf({ ...none, ...share }, machine), limits);
  });
}

for (const [name, worker, size] of [
  ["what it reserved", { vcpus: 4, memoryMb: 4_096, gpus: [] }, [4, 4_096]],
  ["what comes with simulated GPUs", { vcpus: 0, memoryMb: 0, gpus: [1_000, 1_001] }, [4, 16_384]],
  ["its whole machine", { vcpus: 0, memoryMb: 0, gpus: [] }, [8, 16_384]],
] as const) {
  test(`the size of a worker is ${name}`, () => {
    const { vcpus, memoryMb } = workerSize({ ...worker, gpus: [...worker.gpus] }, machine);
    assert.deepEqual([vcpus, memoryMb], size);
  });
}
