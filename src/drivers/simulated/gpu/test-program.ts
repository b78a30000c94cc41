// The test program for simulated GPUs: how it ends for the one GPU that it is given. Pure.

import { MIB } from "../../../base/units.ts";
import type { ProgramAnswer } from "./nvidia-smi-program.ts";
import { isAmd, type SimulatedGpu, type SimulatedGpus } from "./simulated-gpus.ts";

const CODE_NAMES: Record<number, string> = {
  2: "CUDA_ERROR_OUT_OF_MEMORY",
  46: "CUDA_ERROR_DEVICE_UNAVAILABLE",
  100: "CUDA_ERROR_NO_DEVICE",
  700: "CUDA_ERROR_ILLEGAL_ADDRESS",
  719: "CUDA_ERROR_LAUNCH_FAILED",
  802: "CUDA_ERROR_SYSTEM_NOT_READY",
  999: "CUDA_ERROR_UNKNOWN",
};

const HIP_CODE_NAMES: Record<number, string> = {
  2: "hipErrorOutOfMemory",
  100: "hipErrorNoDevice",
  700: "hipErrorIllegalAddress",
  719: "hipErrorLaunchFailure",
  999: "hipErrorUnknown",
};

/** The calls that end with these codes; others end the first one. */
const STEPS: Record<number, string> = {
  2: "cuMemAlloc_v2",
  214: "cuCtxSynchronize",
  700: "cuCtxSynchronize",
  719: "cuCtxSynchronize",
};

/** AMD's HIP runtime has these names for the functions, and the same codes. */
const HIP_STEPS: Record<string, string> = {
  cuInit: "hipInit",
  cuMemAlloc_v2: "hipMalloc",
  cuCtxSynchronize: "hipDeviceSynchronize",
};

const CHECKED_MB = 4_096;
const CUDA_VISIBLE = "CUDA_VISIBLE_DEVICES=";

export function testProgram(args: readonly string[], { gpus }: SimulatedGpus): ProgramAnswer {
  const visible = args.find((arg) => arg.startsWith(CUDA_VISIBLE)) ?? args.at(-1);
  const gpu = gpus.find(({ uuid }) => visible === uuid || visible === CUDA_VISIBLE + uuid);
  if (gpu?.state !== "ok") return printed(codeAnswer(100, gpu !== undefined && isAmd(gpu)));
  return answerOf(gpu);
}

const printed = (value: object) => {
  return { stdout: `${JSON.stringify(value)}\n`, stderr: "", exitCode: 0 };
};

function codeAnswer(code: number, isHip: boolean) {
  const step = STEPS[code] ?? "cuInit";
  const name = CODE_NAMES[code] ?? "";
  if (!isHip) return { step, code, name };
  return { step: HIP_STEPS[step], code, name: HIP_CODE_NAMES[code] ?? "" };
}

function answerOf(gpu: SimulatedGpu): ProgramAnswer {
  const { test: end } = gpu;
  switch (end) {
    case "pass":
      return printed({ passed: true, checkedMb: CHECKED_MB });
    case "wrong_memory":
      return printed({ step: "memory", wrong: `byte 4096 of ${CHECKED_MB * MIB}` });
    case "wrong_kernel":
      return printed({ step: "kernel", wrong: "its results" });
    case "memory_fault":
      return printed(isAmd(gpu) ? MEMORY_FAULT : codeAnswer(700, false));
    case "no_answer":
      return { stdout: "", stderr: "", exitCode: 124 };
    case "no_python":
      return { stdout: "", stderr: "env: 'python3': No such file or directory\n", exitCode: 127 };
    case "no_library": {
      const library = isAmd(gpu) ? "ROCm's HIP runtime: libamdhip64.so" : "libcuda.so.1";
      const missing = `${library}: cannot open shared object file: No such file or directory`;
      return printed({ missing });
    }
    default:
      return printed(codeAnswer(end, isAmd(gpu)));
  }
}

/** ROCm ends the program. */
const MEMORY_FAULT = {
  ended: "signal 6",
  words:
    "Memory access fault by GPU node-1 (Agent handle: 0x55ac14d27600) on address 0x7f9587e00000. Reason: Page not present or supervisor privilege.",
};
