// Tests of reading GPUs and their utilization from nvidia-smi.

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { parseGpuUse } from "./gpu-use.ts";
import { gpuReader, parseGpus } from "./nvidia-smi.ts";
import { runLocally } from "./run.ts";

const table = `0, NVIDIA A40, 46068, 550.54.15
1, NVIDIA A40, [N/A], 550.54.15
`;
const banner = "| NVIDIA-SMI 550.54.15    Driver Version: 550.54.15    CUDA Version: 12.4     |";
const expected = {
  gpus: [
    { index: 0, name: "NVIDIA A40", memoryMb: 46_068 },
    { index: 1, name: "NVIDIA A40", memoryMb: 0 },
  ],
  gpuDriver: "550.54.15",
  cudaVersion: "12.4",
  gpuTrouble: null as string | null,
};
const nothing = { gpus: [], gpuDriver: null, cudaVersion: null, gpuTrouble: null };

test("GPUs are read from the table and the banner", () => {
  assert.deepEqual(parseGpus(table, banner), expected);
  const later = "| NVIDIA-SMI 610.43.02   KMD Version: 610.43.02   CUDA UMD Version: 13.3 |";
  assert.deepEqual(parseGpus(table, later), { ...expected, cudaVersion: "13.3" });
});

test("GPU utilization is read from its table", () => {
  assert.deepEqual(parseGpuUse("0, 37, 11517, 46068\n1, [N/A], 0, [N/A]\n\n"), [
    { index: 0, gpuUtilPercent: 37, memoryUtilPercent: 25 },
    { index: 1, gpuUtilPercent: 0, memoryUtilPercent: 0 },
  ]);
  assert.deepEqual(parseGpuUse("No devices were found\n"), []);
});

test("a failing driver is trouble, and the rows that can be read are kept", () => {
  const good = "0, NVIDIA A40, 46068, 550.54.15\n2, NVIDIA A40, 46068, 550.54.15\n";
  const handle = "Unable to determine the device handle for GPU1: 0000:02:00.0: Unknown Error";
  const rows: [table: string, error: string | null, indices: number[], trouble: RegExp][] = [
    ["Failed to initialize NVML: Driver/library version mismatch\n", "x", [], /version mismatch/],
    ["No devices were found\n", "x", [], /No devices were found/],
    [`${handle}\nNo devices were found\n`, "x", [], /device handle for GPU1/],
    [`${good}${handle}\n`, "x", [0, 2], /device handle for GPU1/],
    [`${good}1, NVIDIA A40, [GPU is lost], 550.54.15\n`, null, [0, 2], /GPU 1: \[GPU is lost\]/],
    [`${good}1, [Unknown Error], [Unknown Error], 550.90\n`, null, [0, 2], /GPU 1: \[Unknown Er/],
    ["", null, [], /lists no GPUs/],
    ["", "it ended with code 255", [], /ended with code 255/],
    [good, "it ended with code 15", [0, 2], /ended with code 15/],
  ];
  for (const [output, error, indices, trouble] of rows) {
    const read = parseGpus(output, banner, error);
    assert.deepEqual(
      read.gpus.map(({ index }) => index),
      indices,
    );
    assert.match(read.gpuTrouble ?? "", trouble);
  }
});

test("only a machine without nvidia-smi is one without GPUs", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-smi-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const env = { PATH: `${folder}:/usr/bin:/bin` };
  assert.deepEqual(await gpuReader(runLocally({ PATH: folder }))(), nothing);
  const program = path.join(folder, "nvidia-smi");
  const read = (script: string) => {
    writeFileSync(program, `#!/bin/sh\n${script}\n`);
    chmodSync(program, 0o755);
    return gpuReader(runLocally(env))();
  };
  const healthy = `if [ -n "$1" ]; then printf '%s' '${table}'; else echo '${banner}'; fi`;
  assert.deepEqual(await read(healthy), expected);
  const mismatch = "Failed to initialize NVML: Driver/library version mismatch";
  const failed = await read(`echo '${mismatch}'; exit 18`);
  assert.deepEqual(failed, { ...nothing, gpuTrouble: `nvidia-smi: ${mismatch}` });
  const handle = "Unable to determine the device handle for GPU2: 0000:03:00.0: GPU is lost.";
  const hidden = await read(`case "$*" in
    *-L*) echo 'GPU 0: NVIDIA A40 (UUID: GPU-a-0)'; echo 'GPU 1: NVIDIA A40 (UUID: GPU-a-1)' ;;
    *"-i GPU-a-0,GPU-a-1") printf '%s' '${table}' ;;
    "") echo '${banner}' ;;
    *) echo '${handle}'; exit 15 ;;
  esac`);
  assert.deepEqual(hidden, { ...expected, gpuTrouble: `nvidia-smi: ${handle}` });
});
