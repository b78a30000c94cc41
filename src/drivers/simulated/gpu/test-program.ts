// The test program for simulated GPUs: how it ends for the one GPU that it is given. Pure.

import type { ProgramAnswer } from "./nvidia-smi-program.ts";
import type { TestEnd } from "./scenario.ts";
import type { SimulatedGpus } from "./simulated-gpus.ts";

const CODE_NAMES: Record<number, string> = {
  2: "CUDA_ERROR_OUT_OF_MEMORY",
  46: "CUDA_ERROR_DEVICE_UNAVAILABLE",
  100: "CUDA_ERROR_NO_DEVICE",
  700: "CUDA_ERROR_ILLEGAL_ADDRESS",
  719: "CUDA_ERROR_LAUNCH_FAILED",
  802: "CUDA_ERROR_SYSTEM_NOT_READY",
  999: "CUDA_ERROR_UNKNOWN",
};

/** The calls that end with these codes; others end the first one. */
const STEPS: Record<number, string> = {
  2: "cuMemAlloc_v2",
  214: "cuCtxSynchronize",
  700: "cuCtxSynchronize",
  719: "cuCtxSynchronize",
};

const CHECKED_MB = 4_096;

export function testProgram(args: readonly string[], { gpus }: SimulatedGpus): ProgramAnswer {
  const visible = args.find((arg) => arg.startsWith("CUDA_VISIBLE_DEVICES="));
  const gpu = gpus.find(({ uuid }) => visible === `CUDA_VISIBLE_DEVICES=${uuid}`);
  return answerFor(gpu && gpu.state === "ok" ? gpu.test : 100);
}

function answerFor(end: TestEnd): ProgramAnswer {
  const printed = (value: object) => {
    return { stdout: `${JSON.stringify(value)}\n`, stderr: "", exitCode: 0 };
  };
  switch (end) {
    case "pass":
      return printed({ passed: true, checkedMb: CHECKED_MB });
    case "wrong_memory":
      return printed({ step: "memory", wrong: `byte 4096 of ${CHECKED_MB * 1_048_576}` });
    case "wrong_kernel":
      return printed({ step: "kernel", wrong: "its results" });
    case "no_answer":
      return { stdout: "", stderr: "", exitCode: 124 };
    case "no_python":
      return { stdout: "", stderr: "env: 'python3': No such file or directory\n", exitCode: 127 };
    case "no_library": {
      const missing = "libcuda.so.1: cannot open shared object file: No such file or directory";
      return printed({ missing });
    }
    default:
      return printed({ step: STEPS[end] ?? "cuInit", code: end, name: CODE_NAMES[end] ?? "" });
  }
}
