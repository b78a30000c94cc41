// Tests one GPU of a machine: the driver gives it to the test program alone.

import { Deadline, LATE, systemClock, within } from "../../../base/clock.ts";
import { type GpuTestResult, judgeTestRun, type TestRun } from "../../../domain/gpu/gpu-test.ts";
import { isAmdUuid } from "../../../domain/machine/gpu-nodes.ts";
import { DriverUnavailable } from "../../driver.ts";
import type { Run, RunError } from "../run.ts";
import { CUDA_SCRIPT } from "./cuda-script.ts";
import { HIP_SCRIPT } from "./hip-script.ts";

const LIMIT_SECONDS = 110;
/** A program that waits for a broken driver cannot be killed. */
export const GPU_TEST_MS = (LIMIT_SECONDS + 20) * 1_000;

/** Null once it is stopped. Rejects with DriverUnavailable if the machine is not reached. */
export type TestGpu = (uuid: string, stopped: AbortSignal) => Promise<GpuTestResult | null>;

/** `run` waits for a program for at least GPU_TEST_MS. */
export function gpuTester(run: Run): TestGpu {
  return async (uuid, stopped) => {
    const deadline = new Deadline(systemClock, GPU_TEST_MS);
    const result = await within(deadline, () => runTest(run, uuid, stopped), stopped);
    if (stopped.aborted) return null;
    return judgeTestRun(result === LATE ? { stdout: "", error: null, isSilent: true } : result);
  };
}

/** Isolated, so that no module of the working directory or of the user is loaded. */
const PYTHON = ["python3", "-I", "-"];

function programOf(uuid: string): { args: string[]; script: string } {
  if (isAmdUuid(uuid)) return { args: [...PYTHON, uuid], script: HIP_SCRIPT };
  const env = ["CUDA_DEVICE_ORDER=PCI_BUS_ID", `CUDA_VISIBLE_DEVICES=${uuid}`];
  return { args: [...env, ...PYTHON], script: CUDA_SCRIPT };
}

async function runTest(run: Run, uuid: string, stopped: AbortSignal): Promise<TestRun> {
  const { args, script } = programOf(uuid);
  const limits = ["-k", "5", String(LIMIT_SECONDS)];
  try {
    const stdout = await run("timeout", [...limits, "env", ...args], script, stopped);
    return { stdout, error: null, isSilent: false };
  } catch (error) {
    if (error instanceof DriverUnavailable) throw error;
    const { message, code, stdout = "", killed = false } = error as RunError;
    const isSilent = killed || code === 124 || code === 137;
    return { stdout, error: message, isSilent };
  }
}
