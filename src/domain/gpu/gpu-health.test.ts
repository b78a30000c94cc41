import assert from "node:assert/strict";
import { test } from "node:test";
import { type GpuFault, withQuarantines } from "./gpu-health.ts";
import type { Quarantine } from "./health-record.ts";

test("a restart that one lost GPU needs takes the others out only if the lost one is not known", () => {
  const all = ["none", "xid_79", "xid_48", "off_the_bus"] as const;
  const rows: [
    cause: (typeof all)[number],
    codes: string[],
    faults: string[],
    notices: number[],
  ][] = [
    [
      "none",
      ["reboot_required", "reboot_required"],
      ["0 reboot_required", "1 reboot_required"],
      [],
    ],
    [
      "xid_48",
      ["reboot_required", "reboot_required"],
      ["2 xid_48", "0 reboot_required", "1 reboot_required"],
      [],
    ],
    ["xid_79", ["reboot_required", "reboot_required"], ["2 xid_79"], [0, 1]],
    ["off_the_bus", ["reboot_required", "reboot_required"], ["2 off_the_bus"], [0, 1]],
    // One that reports something else has a fault of its own.
    ["xid_79", ["reboot_required", "recovery_action"], ["2 xid_79", "1 recovery_action"], [0]],
    // A request of some GPUs is theirs.
    ["xid_79", ["reboot_required", ""], ["2 xid_79", "0 reboot_required"], []],
  ];
  for (const [cause, codes, faults, notices] of rows) {
    const gpuFaults = codes.flatMap((code, index) =>
      code === ""
        ? []
        : [{ index, uuid: `GPU-${index}`, code, reason: "r", recommendation: "a" } as GpuFault],
    );
    const inventory = {
      gpus: [{ virtual: false, indices: [0, 1] }],
      gpuNumbers: { "GPU-0": 0, "GPU-1": 1, "GPU-2": 2 },
      gpuFaults,
    };
    const quarantine = { code: cause, at: 0, reason: "r", recommendation: "a" } as Quarantine;
    const quarantines: Record<string, Quarantine> = cause === "none" ? {} : { "GPU-2": quarantine };
    const after: typeof inventory & { gpuNotices?: { index: number }[] } = withQuarantines(
      inventory,
      { quarantines },
    );
    assert.deepEqual(
      after.gpuFaults.map(({ index, code }) => `${index} ${code}`),
      faults,
    );
    assert.deepEqual(
      (after.gpuNotices ?? []).map(({ index }) => index),
      notices,
    );
  }
});
