// Lines of AMD's driver, as reports and sources have them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAmdLine } from "./amd-error.ts";
import { errorKindOf, lastsForever } from "./gpu-error.ts";

const rows: [line: string, code: string | null][] = [
  // ROCm on Linux 5.x, in the amd-gfx list; and 5.12 with a thread's name
  [
    "amdgpu 0000:03:00.0: amdgpu: [gfxhub0] no-retry page fault (src_id:0 ring:24 vmid:8 pasid:32769, for process xgemmStandalone pid 3557 thread xgemmStandalone pid 3557)",
    "amd_page_fault",
  ],
  [
    "amdgpu 0000:03:00.0: amdgpu: [gfxhub0] retry page fault (src_id:0 ring:0 vmid:3 pasid:32769, for process Xorg pid 778 thread Xorg:cs0 pid 783)",
    "amd_page_fault",
  ],
  // Linux 6.10, gmc_v11_0_process_interrupt: the process is on the next line
  [
    "amdgpu 0000:03:00.0: amdgpu: [mmhub] page fault (src_id:0 ring:8 vmid:1 pasid:32777)",
    "amd_page_fault",
  ],
  ["amdgpu 0000:03:00.0: amdgpu:  in process RDD Process pid 2857 thread firefox:cs0", null],
  ["amdgpu 0000:03:00.0: amdgpu:   in page starting at address 0x0000 from client 10", null],
  // Linux 6.6, commit 9738609449c3: the driver's own
  ["amdgpu 0000:03:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:32 vmid:0 pasid:0)", null],
  // amdgpu_job_timedout of Linux 6.12, and before with DRM's prefix
  [
    "amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=7073226, emitted seq=7073228",
    "amd_hang",
  ],
  [
    "amdgpu 0000:03:00.0: [drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring sdma1 timeout, signaled seq=7, emitted seq=8",
    "amd_hang",
  ],
  ["amdgpu 0000:03:00.0: amdgpu: ring comp_1.1.0 timeout, but soft recovered", "amd_hang"],
  [
    "amdgpu 0000:3d:00.0: amdgpu: The cp might be in an unrecoverable state due to an unsuccessful queues preemption",
    "amd_hang",
  ],
  [
    "amdgpu 0000:03:00.0: amdgpu: MES might be in unrecoverable state, issue a GPU reset",
    "amd_hang",
  ],
  // A line without an address is no GPU's.
  ["[drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring comp_1.0.0 timeout, signaled seq=3", null],
  ["amdgpu: qcm fence wait loop timeout expired", null],
  // amdgpu_device_gpu_recover
  ["amdgpu 0000:03:00.0: amdgpu: GPU reset begin!", "amd_reset_begin"],
  ["amdgpu 0000:03:00.0: amdgpu: GPU reset begin!. Source:  2", "amd_reset_begin"],
  ["amdgpu 0000:03:00.0: amdgpu: GPU reset succeeded, trying to resume", null],
  ["amdgpu 0000:03:00.0: amdgpu: GPU reset(19) succeeded!", "amd_reset"],
  ["amdgpu 0000:03:00.0: amdgpu: GPU reset(19) failed", "amd_reset_failed"],
  ["amdgpu 0000:03:00.0: amdgpu: GPU reset(1) failed with error -110 ", "amd_reset_failed"],
  ["amdgpu 0000:03:00.0: amdgpu: GPU reset end with ret = -62", "amd_reset_failed"],
  ["amdgpu 0000:03:00.0: amdgpu: GPU Recovery Failed: -121", "amd_reset_failed"],
  ["amdgpu 0000:03:00.0: amdgpu: device lost from bus!", "amd_lost"],
  // amdgpu_ras.c: new errors, and totals; the number in braces is that of newer kernels
  [
    "amdgpu 0000:03:00.0: amdgpu: 2 uncorrectable hardware errors detected in umc block",
    "amd_uncorrectable",
  ],
  [
    "amdgpu 0000:03:00.0: amdgpu: {3}socket: 0, die: 1, 4 new uncorrectable hardware errors detected in gfx block",
    "amd_uncorrectable",
  ],
  [
    "amdgpu 0000:03:00.0: amdgpu: socket: 0, die: 1 1 uncorrectable hardware errors detected in sdma block",
    "amd_uncorrectable",
  ],
  [
    "amdgpu 0000:03:00.0: amdgpu: socket: 0, die: 1, 4 uncorrectable hardware errors detected in total in gfx block",
    null,
  ],
  ["amdgpu 0000:03:00.0: amdgpu: 0 uncorrectable hardware errors detected in umc block", null],
  [
    "amdgpu 0000:03:00.0: amdgpu: socket: 4, die: 0 1 correctable hardware errors detected in total in gfx block, no user action is needed.",
    null,
  ],
  [
    "amdgpu 0000:dd:00.0: {1}uncorrectable hardware error(ERREVENT_ATHUB_INTERRUPT) detected!",
    "amd_uncorrectable",
  ],
  // amdgpu_ras_eeprom.c
  [
    "amdgpu 0000:03:00.0: amdgpu: RAS records:257 exceed threshold:256, GPU will not be initialized. Replace this GPU or increase the threshold",
    "amd_bad_pages",
  ],
  ["i915 0000:00:02.0: [drm] GPU reset begin!", null],
  ["amdgpu 0000:03:00.0: amdgpu: MODE1 reset", null],
  ["x amdgpu 0000:03:00.0: amdgpu: device lost from bus!", null],
];

test("what AMD's driver says in the kernel log", () => {
  for (const [line, code] of rows) assert.equal(parseAmdLine(line)?.code ?? null, code, line);
  const words = "amdgpu 0001:C1:00.0: amdgpu: {2}ring gfx  timeout, but soft recovered\n";
  assert.deepEqual(parseAmdLine(words), {
    kind: "amd",
    pci: "0001:c1:00",
    code: "amd_hang",
    detail: "ring gfx timeout, but soft recovered",
  });
});

test("what its errors mean, and which no restart ends", () => {
  assert.deepEqual(errorKindOf("amd_lost").effect, "quarantine");
  const rows = { xid_64: true, xid_79: false, amd_bad_pages: true, amd_lost: false, off: false };
  for (const [code, isLasting] of Object.entries(rows)) assert.equal(lastsForever(code), isLasting);
});
