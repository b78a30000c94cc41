// Tests of reading GPUs and their utilization from nvidia-smi.

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { parseGpuUse } from "./gpu-use.ts";
import { parseGpus, readGpus } from "./nvidia-smi.ts";
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
};
const nothing = { gpus: [], gpuDriver: null, cudaVersion: null };

test("GPUs are read from the table and the banner", () => {
  assert.deepEqual(parseGpus(table, banner), expected);
  const later = "| NVIDIA-SMI 610.43.02   KMD Version: 610.43.02   CUDA UMD Version: 13.3 |";
  assert.deepEqual(parseGpus(table, later), { ...expected, cudaVersion: "13.3" });
  assert.deepEqual(parseGpus("No devices were found\n", ""), nothing);
});

test("GPU utilization is read from its table", () => {
  assert.deepEqual(parseGpuUse("0, 37, 11517, 46068\n1, [N/A], 0, [N/A]\n\n"), [
    { index: 0, gpuUtilPercent: 37, memoryUtilPercent: 25 },
    { index: 1, gpuUtilPercent: 0, memoryUtilPercent: 0 },
  ]);
  assert.deepEqual(parseGpuUse("No devices were found\n"), []);
});

test("a machine without nvidia-smi has no GPUs", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-smi-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const env = { PATH: `${folder}:/usr/bin:/bin` };
  assert.deepEqual(await readGpus(runLocally({ PATH: folder })), nothing);
  const program = path.join(folder, "nvidia-smi");
  const script = `#!/bin/sh\nif [ -n "$1" ]; then printf '%s' '${table}'; else echo '${banner}'; fi\n`;
  writeFileSync(program, script);
  chmodSync(program, 0o755);
  assert.deepEqual(await readGpus(runLocally(env)), expected);
  writeFileSync(program, "#!/bin/sh\nexit 9\n");
  assert.deepEqual(await readGpus(runLocally(env)), nothing);
});
