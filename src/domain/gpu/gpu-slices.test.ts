import assert from "node:assert/strict";
import { test } from "node:test";
import { faultyGpus, type GpuFault, quarantinedGpus } from "./gpu-health.ts";
import { concernedUuid, numbersWithin } from "./gpu-slices.ts";

const slice = (gpuInstance: number, computeInstance: number) => {
  return { gpu: "GPU-a", profile: "1g.10gb", gpuInstance, computeInstance };
};
const machine = {
  gpuNumbers: { "GPU-a": 0, "GPU-b": 1, "MIG-1": 2, "MIG-2": 3, "MIG-3": 4, "MIG-gone": 5 },
  gpuSlices: { "MIG-1": slice(7, 0), "MIG-2": slice(8, 0), "MIG-3": slice(8, 1) },
};

test("what takes a GPU out of placement takes its MIG devices out, and none of another GPU", () => {
  assert.deepEqual(numbersWithin(machine, "GPU-a"), [0, 2, 3, 4]);
  assert.deepEqual(numbersWithin(machine, "MIG-2"), [3]);
  assert.deepEqual(numbersWithin(machine, "GPU-x"), []);
  const fault = { index: 0, uuid: "GPU-a", code: "reset_required", reason: "", recommendation: "" };
  const faulty = (fault: object) => [...faultyGpus({ ...machine, gpuFaults: [fault as GpuFault] })];
  assert.deepEqual(faulty(fault), [0, 2, 3, 4]);
  assert.deepEqual(faulty({ ...fault, index: 2, uuid: "MIG-1" }), [2]);
  assert.deepEqual(faulty({ ...fault, index: 1, uuid: "GPU-b" }), [1]);
  const quarantine = { code: "xid_79", at: 0, reason: "", recommendation: "" } as const;
  const quarantined = quarantinedGpus(machine, { quarantines: { "GPU-a": quarantine } });
  assert.deepEqual([...quarantined], [0, 2, 3, 4]);
});

test("an error concerns the MIG device that it names, else the whole GPU", () => {
  const rows: [
    gpuInstance: number | undefined,
    computeInstance: number | undefined,
    uuid: string,
  ][] = [
    [undefined, undefined, "GPU-a"],
    [7, undefined, "MIG-1"],
    [7, 0, "MIG-1"],
    [8, 1, "MIG-3"],
    [8, undefined, "GPU-a"],
    [9, 0, "GPU-a"],
  ];
  for (const [gpuInstance, computeInstance, uuid] of rows) {
    const instances = {
      ...(gpuInstance !== undefined && { gpuInstance }),
      ...(computeInstance !== undefined && { computeInstance }),
    };
    assert.equal(concernedUuid(machine, "GPU-a", instances), uuid);
  }
  assert.equal(concernedUuid(machine, "GPU-b", { gpuInstance: 7 }), "GPU-b");
});
