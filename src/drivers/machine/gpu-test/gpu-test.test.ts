// Tests of the program that tests a GPU, on a stand-in for NVIDIA's driver library that a C compiler builds.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { until } from "../../../../test/fixtures/until.ts";
import { type Run, runLocally } from "../run.ts";
import { gpuTester } from "./gpu-test.ts";
import { KFD_NODE, KFD_NODES } from "./hip-script.ts";

const SOURCES = path.join(import.meta.dirname, "../../../../test/fixtures/gpu");

/** Builds the library from the stand-in of its name, in a folder. */
const build = (folder: string, source: string, library: string) =>
  execFileSync("cc", [
    "-O1",
    "-shared",
    "-fPIC",
    "-o",
    path.join(folder, library),
    path.join(SOURCES, source),
  ]);

const PROGRAMS = ["cc", "python3", "timeout"];
const missing = PROGRAMS.filter((name) => spawnSync("which", [name]).status !== 0);
const skip = missing.length === 0 || process.env.CI ? false : `it needs ${missing.join(", ")}`;

const testOf = async (run: Run, uuid = "GPU-a") =>
  (await gpuTester(run)(uuid, new AbortController().signal))!;

test("a GPU passes, fails or is not tested as its driver library answers", { skip }, async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-cuda-"));
  t.after(() => rmSync(folder, { recursive: true }));
  build(folder, "libcuda.c", "libcuda.so.1");
  const result = (failure: string, uuid = "GPU-a", libraries = folder) => {
    const env = { ...process.env, LD_LIBRARY_PATH: libraries, FREEHOLD_TEST_CUDA: failure };
    return testOf(runLocally(env, 600_000), uuid);
  };
  const rows: [failure: string, outcome: string, text: RegExp][] = [
    ["", "passed", /^16 MB of its memory and a program on it gave the right results$/],
    ["memory", "failed", /^its memory gave a wrong result: byte 16777212 of 16777216$/],
    ["kernel", "failed", /^a program on it gave a wrong result/],
    ["cuInit=999", "not_run", /^cuInit answered 999 \(CUDA_ERROR_UNKNOWN\)$/],
    ["cuInit=719", "failed", /^cuInit answered 719/],
    ["cuDevicePrimaryCtxRetain=999", "failed", /^cuDevicePrimaryCtxRetain answered 999/],
    ["cuDevicePrimaryCtxRetain=304", "not_run", /a call of the operating system failed/],
    ["cuModuleLoadData=222", "not_run", /cannot compile the test program/],
    ["cuModuleLoadData=200", "not_run", /^cuModuleLoadData answered 200/],
    ["cuModuleLoadData=700", "failed", /^cuModuleLoadData answered 700/],
    ["cuCtxSynchronize=719", "failed", /cuCtxSynchronize answered 719/],
    ["cuLaunchKernel=700", "failed", /cuLaunchKernel answered 700/],
    ["cuMemAlloc_v2=2", "not_run", /another process uses it/],
    ["full", "not_run", /answered 2 \(1 MB of its memory are free\): too little/],
    ["cuDevicePrimaryCtxRetain=46", "not_run", /exclusive mode, or it needs a reset/],
    ["cuInit=802", "not_run", /fabric manager/],
    ["cuInit=803", "not_run", /restart the machine/],
  ];
  for (const [failure, outcome, text] of rows) {
    const { text: words, outcome: end } = await result(failure);
    assert.deepEqual([failure, end], [failure, outcome], words);
    assert.match(words, text);
  }
  const other = await result("", "GPU-b");
  assert.equal(other.outcome, "not_run");
  assert.match(other.text, /0 GPUs instead of 1/);
  const without = await result("", "GPU-a", "/nowhere");
  assert.equal(without.outcome, "not_run");
  assert.match(without.text, /^the machine lacks libcuda\.so\.1: /);
});

const MI300X = "GPU-00000000000000a1";
const WITHOUT_ID = "GPU-PCI-0000-c1-00";

/** Files in place of the compute driver's: the nodes of a processor and three GPUs, and the device. */
function writeComputeNodes(folder: string) {
  const nodes = path.join(folder, "nodes");
  const kfd = path.join(folder, "kfd");
  writeFileSync(kfd, "");
  const properties = [
    "cpu_cores_count 96\nsimd_count 0\ngfx_target_version 0\nunique_id 0\ndomain 0\nlocation_id 0\n",
    "simd_count 1216\ngfx_target_version 90402\nunique_id 161\nlocation_id 256\ndomain 1\n",
    "simd_count 1216\ngfx_target_version 90402\nunique_id 0\nlocation_id 49408\ndomain 0\n",
    "simd_count 240\ngfx_target_version 90010\nunique_id 162\nlocation_id 49408\ndomain 1\n",
  ];
  for (const [number, text] of properties.entries()) {
    mkdirSync(path.join(nodes, String(number)), { recursive: true });
    writeFileSync(path.join(nodes, String(number), "properties"), text);
  }
  return { nodes, kfd };
}

test("a GPU of AMD passes, fails or is not tested as its HIP runtime answers", {
  skip,
}, async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-hip-"));
  t.after(() => rmSync(folder, { recursive: true }));
  build(folder, "libamdhip64.c", "libamdhip64.so.6");
  const { nodes, kfd } = writeComputeNodes(folder);
  const result = (
    failure: string,
    uuid: string,
    options: { libraries?: string; node?: string },
  ) => {
    const { libraries = folder, node = kfd } = options;
    const env = { ...process.env, LD_LIBRARY_PATH: libraries, FREEHOLD_TEST_HIP: failure };
    const runProgram = runLocally({ ...env, HIP_VISIBLE_DEVICES: "7" }, 600_000);
    const run: Run = (program, args, input = "", stopped) => {
      const script = input.replaceAll(KFD_NODES, nodes).replaceAll(KFD_NODE, node);
      return runProgram(program, args, script, stopped);
    };
    return testOf(run, uuid);
  };
  type Row = [string, string, string, RegExp, { libraries?: string; node?: string }?];
  const rows: Row[] = [
    ["", MI300X, "passed", /^16 MB of its memory and a program on it gave the right results$/],
    ["", WITHOUT_ID, "passed", /^16 MB of its memory/],
    ["memory", MI300X, "failed", /^its memory gave a wrong result: byte 16777212 of 16777216$/],
    ["kernel", MI300X, "failed", /^a program on it gave a wrong result/],
    ["fault", MI300X, "failed", /^a program on it failed: Memory access fault by GPU node-1/],
    ["abort", MI300X, "not_run", /^the test program ended: signal 6$/],
    ["hipInit=999", MI300X, "not_run", /^hipInit answered 999 \(hipErrorUnknown\)$/],
    ["hipMalloc=2", MI300X, "not_run", /another process uses it/],
    ["full", MI300X, "not_run", /answered 2 \(1 MB of its memory are free\)/],
    ["hipDeviceSynchronize=719", MI300X, "failed", /^hipDeviceSynchronize answered 719/],
    ["hipModuleLoadData=209", MI300X, "not_run", /cannot compile the test program/],
    ["hipModuleLaunchKernel=1", MI300X, "failed", /^hipModuleLaunchKernel answered 1/],
    [
      "hiprtcCompileProgram=6",
      MI300X,
      "not_run",
      /^the machine lacks a compiler .* answered 6 \(HIPRTC_ERROR_COMP/,
    ],
    ["", "GPU-00000000000000a2", "not_run", /\(0 GPUs instead of 1\): the driver gives no GPU/],
    ["", "GPU-PCI-0000-c2-00", "not_run", /^hipDeviceGetByPCIBusId answered 101/],
    [
      "",
      MI300X,
      "not_run",
      /^the machine lacks ROCm's HIP runtime: libamdhip64\.so: /,
      { libraries: nodes },
    ],
    [
      "",
      MI300X,
      "not_run",
      /^the machine lacks access to .*none; the user needs/,
      { node: path.join(folder, "none") },
    ],
  ];
  for (const [failure, uuid, outcome, text, options = {}] of rows) {
    const { text: words, outcome: end } = await result(failure, uuid, options);
    assert.deepEqual([failure, end], [failure, outcome], words);
    assert.match(words, text);
  }
});

test("a machine without Python, or with another program in its place, passes no GPU", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-no-python-"));
  for (const program of ["timeout", "env"]) {
    const file = execFileSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).trim();
    execFileSync("ln", ["-s", file, path.join(folder, program)]);
  }
  const { outcome, text } = await testOf(runLocally({ PATH: folder }, 600_000));
  rmSync(folder, { recursive: true });
  assert.deepEqual([outcome, text], ["not_run", "the machine has no python3, which runs the test"]);
  const odd = await testOf(async () => "hello\n");
  assert.equal(odd.outcome, "not_run");
});

test("a test that is stopped ends with its programs, and says nothing of the GPU", {
  skip,
}, async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-slow-python-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const started = path.join(folder, "started");
  const script = `#!/bin/sh\necho $$ > ${started}.new && mv ${started}.new ${started}\nexec sleep 1000\n`;
  writeFileSync(path.join(folder, "python3"), script, { mode: 0o755 });
  const run = runLocally({ PATH: `${folder}:${process.env.PATH}` }, 600_000);
  const stopped = new AbortController();
  const result = gpuTester(run)("GPU-a", stopped.signal);
  await until(() => existsSync(started));
  const program = Number(readFileSync(started, "utf8"));
  stopped.abort();
  assert.equal(await result, null);
  await until(() => !existsSync(`/proc/${program}`));
});
