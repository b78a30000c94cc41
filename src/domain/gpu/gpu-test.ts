// Tests of GPUs: what the test program says, and what it means for the GPU. Pure.

import { isObject } from "../../base/json/is-object.ts";
import type { GpuHealth, Quarantine } from "./health-record.ts";

/** A test that could not run is no pass, and no fault of the GPU either. */
export interface GpuTestResult {
  outcome: "passed" | "failed" | "not_run" | "cancelled";
  text: string;
}

export interface GpuTest {
  requestedAt: number;
  /** Null until it has ended. */
  result: (GpuTestResult & { at: number }) | null;
  /** When it passed, each time since it failed or was put in quarantine. */
  passes: readonly number[];
}

/** How a program that was run ended: what it printed, or why it failed. */
export interface TestRun {
  stdout: string;
  /** Null if it ended with exit code 0. */
  error: string | null;
  isSilent: boolean;
}

const NO_PYTHON = /python3?['’`]?: (?:not found|No such file|command not found)|python3.*ENOENT/i;

export function judgeTestRun({ stdout, error, isSilent }: TestRun): GpuTestResult {
  if (isSilent) return { outcome: "failed", text: "the test did not end" };
  const answer = answerIn(stdout);
  if (answer === null) {
    const text = NO_PYTHON.test(error ?? "")
      ? "the machine has no python3, which runs the test"
      : `the test program failed: ${lastLine(error ?? "it printed nothing")}`;
    return { outcome: "not_run", text };
  }
  const { passed, checkedMb, missing, step, wrong, code, name, ended } = answer;
  if (passed === true) {
    const text = `${checkedMb} MB of its memory and a program on it gave the right results`;
    return { outcome: "passed", text };
  }
  if (missing !== undefined) return { outcome: "not_run", text: `the machine lacks ${missing}` };
  if (wrong !== undefined) {
    const what = step === "kernel" ? "a program on it" : "its memory";
    return { outcome: "failed", text: `${what} gave a wrong result: ${wrong}` };
  }
  if (ended !== undefined) return judgeEnd(String(answer.words) || `${ended}`);
  const words = `${step} answered ${code}${name ? ` (${name})` : ""}`;
  const reason = NO_FAULT[Number(code)];
  if (reason) return { outcome: "not_run", text: `${words}: ${reason}` };
  const isSetup = PREPARATIONS.has(String(step)) && !DEVICE_FAULTS.has(Number(code));
  return { outcome: isSetup ? "not_run" : "failed", text: words };
}

/** ROCm ends a program whose GPU fails. Another end, such as one for want of memory, says nothing of the GPU. */
const judgeEnd = (words: string): GpuTestResult =>
  /(?:Memory access fault|HW Exception) by GPU/i.test(words)
    ? { outcome: "failed", text: `a program on it failed: ${words}` }
    : { outcome: "not_run", text: `the test program ended: ${words}` };

/** Calls that fail for many reasons of the machine, such as a device file that is missing. */
const PREPARATIONS = new Set(
  ["Init", "ModuleLoadData", "ModuleGetFunction"].flatMap((name) => [`cu${name}`, `hip${name}`]),
);

/** Codes of errors that a GPU reports: of its memory, its links and the programs on it. */
const DEVICE_FAULTS = new Set([214, 220, 700, 702, 714, 715, 716, 717, 718, 719, 721]);

/** Codes of the driver libraries that are no fault of the GPU, or not of this one. AMD's are those of NVIDIA. */
const NO_FAULT: Partial<Record<number, string>> = {
  2: "too little of its memory is free; another process uses it",
  34: "the machine has a stub in place of the driver library",
  46: "another process has it in exclusive mode, or it needs a reset",
  100: "the driver gives no GPU with its UUID to a program",
  101: "the driver gives no GPU with its UUID to a program",
  209: "the driver cannot compile the test program for it",
  218: "the driver cannot compile the test program for it",
  221: "the driver library lacks its compiler",
  222: "the driver cannot compile the test program for it",
  223: "the driver library has its compiler turned off",
  304: "a call of the operating system failed",
  802: "the fabric manager of the machine is not ready",
  803: "driver and library of the machine differ; restart the machine",
  804: "driver and library of the machine differ; restart the machine",
  805: "the MPS server of the machine does not answer",
};

const lastLine = (text: string) => text.trim().split("\n").at(-1)!.slice(0, 300);

function answerIn(stdout: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(stdout);
    return isObject(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** The record with tests that are to run. */
export function requestTests(before: GpuHealth, uuids: readonly string[], now: number): GpuHealth {
  const { tests = {} } = before;
  const added = uuids.map((uuid): [string, GpuTest] => {
    return [uuid, { requestedAt: now, result: null, passes: tests[uuid]?.passes ?? [] }];
  });
  return { ...before, tests: { ...tests, ...Object.fromEntries(added) } };
}

export const pendingTests = ({ tests = {} }: GpuHealth): string[] =>
  Object.entries(tests).flatMap(([uuid, { result }]) => (result === null ? [uuid] : []));

/** The record without a test that was requested; one that runs is stopped, and its result does not count. */
export function cancelTest(before: GpuHealth, uuid: string, at: number): GpuHealth {
  const { tests = {} } = before;
  const test = tests[uuid];
  if (test?.result !== null) return before;
  const result = { outcome: "cancelled" as const, text: "it was cancelled", at };
  return { ...before, tests: { ...tests, [uuid]: { ...test, result } } };
}

/** The most that a policy can ask for. */
const MAX_PASSES = 10;

/** A GPU that fails is put in quarantine; one that is in it starts its cool-down anew. */
export function finishTest(
  before: GpuHealth,
  uuid: string,
  { result, now }: { result: GpuTestResult; now: number },
): { health: GpuHealth; quarantine: Quarantine | null } {
  const { tests = {}, quarantines = {}, cleanReadings = {} } = before;
  const test = tests[uuid];
  if (!test || test.result !== null) return { health: before, quarantine: null };
  const { outcome, text } = result;
  const passes = outcome === "passed" ? [...test.passes, now].slice(-MAX_PASSES) : test.passes;
  const ended: GpuTest = {
    ...test,
    result: { outcome, text, at: now },
    passes: outcome === "failed" ? [] : passes,
  };
  const health = { ...before, tests: { ...tests, [uuid]: ended } };
  if (outcome !== "failed") return { health, quarantine: null };
  const { [uuid]: _, ...others } = cleanReadings;
  if (Object.hasOwn(quarantines, uuid)) {
    return { health: { ...health, cleanReadings: others }, quarantine: null };
  }
  const quarantine: Quarantine = {
    code: "test_failed",
    at: now,
    reason: `its test failed: ${text}`,
    recommendation: "reset the GPU while nothing runs on it, and test it again",
  };
  return {
    health: { ...health, quarantines: { ...quarantines, [uuid]: quarantine } },
    quarantine,
  };
}

/** The number of tests that a GPU passed since an instant. */
export const passesSince = ({ tests = {} }: GpuHealth, uuid: string, since: number): number =>
  (tests[uuid]?.passes ?? []).filter((at) => at >= since).length;
