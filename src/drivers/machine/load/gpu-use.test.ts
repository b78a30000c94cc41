// Tests of the GPUs' load beside a GPU that fails.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Run } from "../run.ts";
import { gpuUseReader } from "./gpu-use.ts";

const uuid = "GPU-00000000-0000-4000-8000-000000000000";

test("a GPU that is lost takes no other one's load away", async () => {
  const rows = `Unable to determine the device handle for GPU0: 0000:01:00.0: Unknown Error\n${uuid.replace(/0$/, "1")}, 37, 23034, 46068, 61, 71.5, 1410\n`;
  const run: Run = async (program) => {
    if (program === "sh") return "";
    throw Object.assign(new Error("exit 255"), { stdout: rows, code: 255 });
  };
  const numbers = { [uuid]: 0, [uuid.replace(/0$/, "1")]: 1 };
  const loads = await gpuUseReader(run, () => numbers)();
  assert.deepEqual(
    loads.map(({ index, gpuUtilPercent }) => [index, gpuUtilPercent]),
    [[1, 37]],
  );
  const silent = Object.assign(new Error("spawn nvidia-smi ENOENT"), { code: "ENOENT" });
  assert.deepEqual(
    await gpuUseReader(
      () => Promise.reject(silent),
      () => numbers,
    )(),
    [],
  );
});
