// The GPUs' utilization, read from `nvidia-smi`; empty on a machine without that program.

import type { GpuUse } from "../../domain/usage/sample.ts";
import type { Run } from "./run.ts";
import { singleProbe } from "./single-probe.ts";

const QUERY = [
  "--query-gpu=index,utilization.gpu,memory.used,memory.total",
  "--format=csv,noheader,nounits",
];

export function gpuUseReader(run: Run): () => Promise<GpuUse[]> {
  return singleProbe(() => run("nvidia-smi", QUERY).then(parseGpuUse, () => []), []);
}

/** Reads "[N/A]" and other text as 0. */
export function parseGpuUse(table: string): GpuUse[] {
  const lines = table.split("\n").map((line) => line.split(",").map((cell) => cell.trim()));
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
