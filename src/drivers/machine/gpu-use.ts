// What a machine's GPUs are doing, as `nvidia-smi` says; nothing where it is not there.

import type { GpuUse } from "../../domain/usage/sample.ts";
import type { Run } from "./run.ts";

const QUERY = [
  "--query-gpu=index,utilization.gpu,memory.used,memory.total",
  "--format=csv,noheader,nounits",
];

export async function lookAtGpuUse(run: Run): Promise<GpuUse[]> {
  try {
    return readGpuUse(await run("nvidia-smi", QUERY));
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
