// Tests of MIG devices as the list and the document describe them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { joinMig, type ListedMig, type MigElement, parseMigList } from "./mig-devices.ts";

test("MIG devices are listed with their GPU, profile and UUID", () => {
  const a = "GPU-5c89852c-d268-c3f3-1b07-005d5ae1dc3f";
  const b = "GPU-2e8e0d4c-13f5-4a9e-9b25-7b8a4c6a7f01";
  const id = "c6d4f1ef-42e4-5de3-91c7-45d71c87eb3f";
  const rows: [text: string, devices: ListedMig[]][] = [
    ["", []],
    ["No devices found.\n", []],
    [`GPU 0: NVIDIA A40 (UUID: ${a})\n`, []],
    [
      [
        `GPU 0: NVIDIA A100-SXM4-80GB (UUID: ${a})`,
        `  MIG 1g.10gb     Device  0: (UUID: MIG-${id})`,
        `  MIG 1c.3g.40gb  Device 10: (UUID: MIG-2)`,
        `GPU 1: NVIDIA A100-SXM4-80GB (UUID: ${b})`,
        `  MIG 1g.10gb+me  Device  0: (UUID: MIG-GPU-3/7/0)`,
        "Unable to determine the device handle for gpu 0000:23:00.0: Unknown Error",
        `  MIG 1g.10gb     Device  0: (UUID: MIG-4)`,
      ].join("\n"),
      [
        { gpu: a, device: 0, profile: "1g.10gb", uuid: `MIG-${id}` },
        { gpu: a, device: 10, profile: "1c.3g.40gb", uuid: "MIG-2" },
        { gpu: b, device: 0, profile: "1g.10gb+me", uuid: "MIG-GPU-3/7/0" },
      ],
    ],
  ];
  for (const [text, devices] of rows) assert.deepEqual(parseMigList(text), devices, text);
});

test("list and document are joined by the numbers of the devices, or not at all", () => {
  const element = (device: number, gpuInstance: number | null, memoryMb: number | null = 9_728) => {
    return { device, gpuInstance, computeInstance: 0, memoryMb };
  };
  const listed = (...numbers: number[]) =>
    numbers.map((device) => ({ gpu: "GPU-a", device, profile: "1g.10gb", uuid: `MIG-${device}` }));
  type Row = [elements: MigElement[], listed: ListedMig[], devices: string[] | null];
  const rows: Row[] = [
    [[], [], []],
    [[element(1, 8), element(0, 7)], listed(0, 1), ["MIG-0 7 9728", "MIG-1 8 9728"]],
    [[element(0, 7, null)], listed(0), ["MIG-0 7 10240"]],
    [[element(0, 7), element(1, 7)], listed(0, 1), ["MIG-0 7 9728 shared", "MIG-1 7 9728 shared"]],
    [[element(0, null), element(1, null)], listed(0, 1), ["MIG-0 null 9728", "MIG-1 null 9728"]],
    [[element(0, 7)], [], null],
    [[], listed(0), null],
    [[element(0, 7), element(2, 9)], listed(0, 1), null],
  ];
  for (const [elements, list, devices] of rows) {
    const joined = joinMig(elements, list)?.map(({ uuid, gpuInstance, memoryMb, finding }) =>
      [uuid, gpuInstance, memoryMb, ...(finding ? ["shared"] : [])].map(String).join(" "),
    );
    assert.deepEqual(joined ?? null, devices);
  }
});
