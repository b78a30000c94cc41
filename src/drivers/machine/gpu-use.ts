// What this machine's GPUs are doing, as `nvidia-smi` says; nothing where it is not there.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { GpuUse } from "../../domain/usage/sample.ts";

const run = promisify(execFile);

/** A driver in trouble may never answer. */
const ANSWER_MS = 5_000;

const QUERY = [
  "--query-gpu=index,utilization.gpu,memory.used,memory.total",
  "--format=csv,noheader,nounits",
];

export async function lookAtGpuUse(env: Record<string, string | undefined>): Promise<GpuUse[]> {
  try {
    return readGpuUse((await run("nvidia-smi", QUERY, { timeout: ANSWER_MS, env })).stdout);
  } catch {
    return [];
  }
}

/** "[N/A]" and the like are read as 0. */
export function readGpuUse(listed: string): GpuUse[] {
  const lines = listed.split("\n").map((line) => line.split(",").map((cell) => cell.trim()));
  return lines
    .filter(([index, ...rest]) => /^\d+$/.test(index ?? "") && rest.length === 3)
    .map(([index, use, used, total]) => {
      const memory = (100 * (Number(used) || 0)) / (Number(total) || 1);
      return {
        index: Number(index),
        gpuUtilPercent: Number(use) || 0,
        memoryUtilPercent: Math.round(memory * 10) / 10,
      };
    });
}
