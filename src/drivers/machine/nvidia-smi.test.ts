// Tests of reading GPUs and their utilization from nvidia-smi.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import {
  A40,
  gpuDocument,
  LOST,
  listLine,
  RESET,
  type StandInGpu,
  writeNvidiaSmi,
  writeProgram,
} from "../../../test/fixtures/gpu/nvidia-smi.ts";
import { parseGpuUse } from "./gpu-use.ts";
import { gpuReader, gpusFrom, parseGpuList } from "./nvidia-smi.ts";
import { parseGpuDocument } from "./nvidia-smi-xml.ts";
import { runLocally } from "./run.ts";

const uuid = (index: number) => `GPU-00000000-0000-4000-8000-00000000000${index}`;
const nothing = { gpus: [], gpuDriver: null, cudaVersion: null, gpuTrouble: null, gpuFaults: [] };
const a40 = (index: number) => {
  return { index, uuid: uuid(index), name: "NVIDIA A40", memoryMb: 46_068 };
};
const healthy = {
  ...nothing,
  gpus: [a40(0), a40(1)],
  gpuDriver: "550.163.01",
  cudaVersion: "12.4",
};

const numbers = new Map([0, 1, 2].map((index) => [uuid(index), index]));
const read = (output: string, error: string | null = null) =>
  gpusFrom(parseGpuDocument(output), numbers, error);
const xmlRead = (xml: string) =>
  read(gpuDocument({ gpus: [{ index: 0, xml }] })).gpuFaults[0]?.code;

test("GPUs are read from the document and the list, whatever the driver's generation", () => {
  assert.deepEqual(read(gpuDocument({ gpus: [A40(0), A40(1)] })), healthy);
  const cudaElement = "<cuda_umd_version>13.3</cuda_umd_version>";
  const later = read(gpuDocument({ gpus: [A40(0)], driver: "610.43.02", cudaElement }));
  assert.deepEqual([later.gpuDriver, later.cudaVersion], ["610.43.02", "13.3"]);
  for (const memory of ["N/A", "[N/A]", "Not Supported"]) {
    const unified = read(gpuDocument({ gpus: [{ index: 0, memory }] }));
    assert.deepEqual([unified.gpus[0]?.memoryMb, unified.gpuTrouble], [0, null]);
  }
});

test("the list numbers GPUs and not their slices", () => {
  const text = `${listLine(A40(0))}
  MIG 1g.10gb     Device  0: (UUID: MIG-a0000000-0000-4000-8000-000000000000)
${listLine(A40(2))}
Unable to determine the device handle for gpu 0000:23:00.0: Unknown Error`;
  assert.deepEqual(
    [...parseGpuList(text)],
    [
      [uuid(0), 0],
      [uuid(2), 2],
    ],
  );
  // A GPU that is missing from the document does not move the numbers of the others.
  assert.deepEqual(
    read(gpuDocument({ gpus: [A40(0), A40(2)] })).gpus.map(({ index }) => index),
    [0, 2],
  );
  // Neither does one that is missing from the list: its place may be another GPU's number.
  const unnumbered = gpusFrom(
    parseGpuDocument(gpuDocument({ gpus: [A40(1), A40(2)] })),
    new Map([[uuid(1), 1]]),
    null,
  );
  assert.deepEqual(
    unnumbered.gpus.map(({ index }) => index),
    [1],
  );
  assert.match(unnumbered.gpuTrouble!, /it has no number/);
});

test("the name of a program on a GPU is no part of the document", () => {
  const name = "<process_name>python a&b <x></process_name>";
  const xml = `<processes><process_info><pid>7</pid>\n${name}\n</process_info></processes>`;
  assert.deepEqual(read(gpuDocument({ gpus: [{ index: 0, xml }] })).gpuTrouble, null);
});

test("health is read in the form of each driver", () => {
  const rows: [xml: string, code: string | undefined][] = [
    ["<gpu_recovery_action>None</gpu_recovery_action>", undefined],
    ["<gpu_recovery_action>N/A</gpu_recovery_action>", undefined],
    ["<gpu_recovery_action>Reset</gpu_recovery_action>", "recovery_action"],
    ["<gpu_reset_status><reset_required>Yes</reset_required></gpu_reset_status>", "reset_required"],
    [
      "<gpu_reset_status><reset_required>Requested functionality has been deprecated</reset_required></gpu_reset_status>",
      undefined,
    ],
    ["<remapped_rows>N/A</remapped_rows>", undefined],
    [
      "<remapped_rows><remapped_row_pending>Yes</remapped_row_pending><remapped_row_failure>No</remapped_row_failure></remapped_rows>",
      undefined,
    ],
    [
      "<remapped_rows><remapped_row_failure>Yes</remapped_row_failure></remapped_rows>",
      "row_remap_failure",
    ],
    [
      "<ecc_errors><aggregate><sram_threshold_exceeded>Yes</sram_threshold_exceeded></aggregate></ecc_errors>",
      "sram_threshold",
    ],
    [
      "<ecc_errors><channel_repair_pending>No</channel_repair_pending><tpc_repair_pending>Yes</tpc_repair_pending></ecc_errors>",
      "repair_pending",
    ],
    [
      "<mig_mode><current_mig>Enabled</current_mig><pending_mig>Enabled</pending_mig></mig_mode>",
      "mig_mode",
    ],
  ];
  for (const [xml, code] of rows) assert.equal(xmlRead(xml), code, xml);
});

test("GPU utilization is read from its table", () => {
  assert.deepEqual(parseGpuUse("0, 37, 11517, 46068\n1, [N/A], 0, [N/A]\n\n"), [
    { index: 0, gpuUtilPercent: 37, memoryUtilPercent: 25 },
    { index: 1, gpuUtilPercent: 0, memoryUtilPercent: 0 },
  ]);
  assert.deepEqual(parseGpuUse("No devices were found\n"), []);
});

test("a failing driver is trouble, and the GPUs that can be read are kept", () => {
  const good = gpuDocument({ gpus: [A40(0), A40(2)] });
  const handle = "Unable to determine the device handle for GPU1: 0000:02:00.0: Unknown Error";
  const withLost = (lost: StandInGpu) => gpuDocument({ gpus: [A40(0), lost, A40(2)] });
  const rows: [output: string, error: string | null, indices: number[], trouble: RegExp][] = [
    ["Failed to initialize NVML: Driver/library version mismatch\n", "x", [], /version mismatch/],
    ["Aucun périphérique\n", "x", [], /Aucun périphérique/],
    ["No devices were found\n", "x", [], /No devices were found/],
    [`${handle}\nNo devices were found\n`, "x", [], /device handle for GPU1/],
    [`${handle}\n${good}\n`, "x", [0, 2], /device handle for GPU1/],
    [withLost(LOST(1)), null, [0, 2], /GPU 1: GPU is lost/],
    [withLost({ index: 1, name: "[Unknown Error]" }), null, [0, 2], /GPU 1: \[Unknown Er/],
    [withLost({ index: 1, uuid: "N/A" }), null, [0, 2], /GPU 1: it has no UUID/],
    [good.slice(0, good.length / 2), null, [], /document is incomplete/],
    ["", null, [], /lists no GPUs/],
    ["", "it ended with code 255", [], /ended with code 255/],
    [good, "it ended with code 15", [0, 2], /ended with code 15/],
  ];
  for (const [output, error, indices, trouble] of rows) {
    const reading = read(output, error);
    assert.deepEqual(
      reading.gpus.map(({ index }) => index),
      indices,
    );
    assert.match(reading.gpuTrouble ?? "", trouble);
  }
});

test("only a machine without nvidia-smi is one without GPUs", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-smi-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const env = { PATH: `${folder}:/usr/bin:/bin` };
  assert.deepEqual(await gpuReader(runLocally({ PATH: folder }))(), nothing);
  const reader = gpuReader(runLocally(env));
  writeNvidiaSmi(folder, [A40(0), A40(1)]);
  assert.deepEqual(await reader(), healthy);
  const mismatch = "Failed to initialize NVML: Driver/library version mismatch";
  writeProgram(folder, `echo '${mismatch}'; exit 18`);
  const gpuTrouble = `nvidia-smi: ${mismatch}`;
  assert.deepEqual(await gpuReader(runLocally(env))(), { ...nothing, gpuTrouble });
  // The last good reading stays, and none of its GPUs is given away.
  const stale = await reader();
  assert.deepEqual([stale.gpus, stale.gpuTrouble], [healthy.gpus, gpuTrouble]);
  assert.deepEqual(
    stale.gpuFaults.map(({ index, code }) => [index, code]),
    [
      [0, "stale"],
      [1, "stale"],
    ],
  );
  const handle = "Unable to determine the device handle for GPU2: 0000:03:00.0: GPU is lost.";
  writeProgram(
    folder,
    `case "$*" in
    -L) echo '${listLine(A40(0))}'; echo '${listLine(A40(1))}'; exit 15 ;;
    "-q -x -i ${uuid(0)},${uuid(1)}") cat <<'END'\n${gpuDocument({ gpus: [A40(0), RESET(1)] })}\nEND\n;;
    *) echo '${handle}'; exit 15 ;;
  esac`,
  );
  const hidden = await reader();
  assert.deepEqual(hidden.gpus, healthy.gpus);
  assert.match(
    hidden.gpuTrouble!,
    /GPU2: 0000:03:00.0: GPU is lost.; GPU 1: .*"Reset"; reset the GPU/,
  );
  assert.deepEqual(
    hidden.gpuFaults.map(({ index, code }) => [index, code]),
    [[1, "recovery_action"]],
  );
});

test("a GPU that is missing without a word is trouble beside one with a fault", async () => {
  const answers = new Map([
    ["-q -x", gpuDocument({ gpus: [A40(0), RESET(1)] })],
    ["-L", [A40(0), RESET(1)].map(listLine).join("\n")],
  ]);
  const bus = "/sys/bus/pci/devices/0\n/sys/bus/pci/devices/1\n/sys/bus/pci/devices/2\n";
  const reading = await gpuReader(async (program, args) =>
    program === "sh" ? bus : (answers.get(args.join(" ")) ?? ""),
  )();
  assert.match(reading.gpuTrouble!, /lists 2 of the 3 .*; nvidia-smi: GPU 1: its driver reports/);
});
