import assert from "node:assert/strict";
import { test } from "node:test";
import { readingsWith } from "../../../test/fixtures/gpu/readings.ts";
import { gpuFaultText } from "./gpu-health.ts";
import { type GpuReadings, judgeGpu, judgeMigMode } from "./judge-readings.ts";

test("which readings take a GPU out of placement, and what they ask for", () => {
  const rows: [Partial<GpuReadings>, code: string | null, advice: RegExp][] = [
    [{}, null, /^$/],
    [{ recoveryAction: "None", migMode: false, rowRemapFailure: false }, null, /^$/],
    [{ recoveryAction: "Reset" }, "recovery_action", /^reset the GPU/],
    [{ recoveryAction: "PF FLR" }, "recovery_action", /^reset the GPU/],
    [{ recoveryAction: "Reboot" }, "reboot_required", /^reboot the machine/],
    [{ recoveryAction: "OS Reboot" }, "reboot_required", /^reboot the machine/],
    [{ recoveryAction: "Drain and Reset" }, "recovery_action", /^drain the GPU/],
    [{ recoveryAction: "Realign" }, "recovery_action", /NVIDIA's documentation/],
    [{ rowRemapFailure: true, recoveryAction: "Reset" }, "row_remap_failure", /^replace/],
    [{ sramThresholdExceeded: true }, "sram_threshold", /^replace/],
    [{ unrepairableMemory: true }, "unrepairable_memory", /^replace/],
    [{ resetRequired: true }, "reset_required", /^reset the GPU/],
    [{ repairPending: true }, "repair_pending", /^reset the GPU/],
  ];
  for (const [readings, code, advice] of rows) {
    const migRows: [migMode: boolean | null, devices: number, code: string | null][] = [
      [true, 0, "mig_mode"],
      [true, 7, null],
      [false, 0, null],
      [null, 0, null],
    ];
    for (const [migMode, devices, code] of migRows) {
      assert.equal(judgeGpu(readingsWith({ migMode })), null);
      assert.equal(judgeMigMode(readingsWith({ migMode }), devices)?.code ?? null, code);
    }
    const finding = judgeGpu(readingsWith(readings));
    assert.equal(finding?.code ?? null, code, JSON.stringify(readings));
    assert.match(finding?.recommendation ?? "", advice);
  }
  const finding = judgeGpu(readingsWith({ resetRequired: true }))!;
  assert.equal(
    gpuFaultText({ ...finding, index: 1, uuid: "GPU-1" }),
    "GPU 1: its driver requires a reset; reset the GPU while nothing runs on it",
  );
});
