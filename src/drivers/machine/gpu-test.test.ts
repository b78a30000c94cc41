// Tests of the program that tests a GPU, on a stand-in for NVIDIA's driver library that a C compiler builds.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { until } from "../../../test/fixtures/until.ts";
import { gpuTester } from "./gpu-test.ts";
import { type Run, runLocally } from "./run.ts";

const SOURCE = path.join(import.meta.dirname, "../../../test/fixtures/gpu/libcuda.c");

const PROGRAMS = ["cc", "python3", "timeout"];
const missing = PROGRAMS.filter((name) => spawnSync("which", [name]).status !== 0);
const skip = missing.length === 0 || process.env.CI ? false : `it needs ${missing.join(", ")}`;

const testOf = async (run: Run, uuid = "GPU-a") =>
  (await gpuTester(run)(uuid, new AbortController().signal))!;

test("a GPU passes, fails or is not tested as its driver library answers", { skip }, async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-cuda-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const library = path.join(folder, "libcuda.so.1");
  execFileSync("cc", ["-O1", "-shared", "-fPIC", "-o", library, SOURCE]);
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
