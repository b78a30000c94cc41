// The GPUs of a machine, read from `nvidia-smi`; none on a machine without that program or without GPUs.

import type { Hardware } from "../../domain/machine/inventory.ts";
import type { Run } from "./run.ts";

const QUERY = [
  "--query-gpu=index,name,memory.total,driver_version",
  "--format=csv,noheader,nounits",
];

type Gpus = Pick<Hardware, "gpus" | "gpuDriver" | "cudaVersion">;

export async function readGpus(run: Run): Promise<Gpus> {
  try {
    const [table, banner] = await Promise.all([run("nvidia-smi", QUERY), run("nvidia-smi", [])]);
    return parseGpus(table, banner);
  } catch {
    return { gpus: [], gpuDriver: null, cudaVersion: null };
  }
}

/** `banner` is the output without arguments, the only place that holds the CUDA version. */
export function parseGpus(table: string, banner: string): Gpus {
  const lines = table.split("\n").map((line) => line.split(",").map((cell) => cell.trim()));
  const rows = lines.filter(([index, name]) => /^\d+$/.test(index ?? "") && name);
  return {
    gpus: rows.map(([index, name, memory]) => {
      // "[N/A]" for a GPU that shares the machine's memory.
      return { index: Number(index), name: name!, memoryMb: Number.parseInt(memory!, 10) || 0 };
    }),
    gpuDriver: rows[0]?.[3] ?? null,
    cudaVersion: /CUDA (?:UMD )?Version:\s*(\d+\.\d+)/.exec(banner)?.[1] ?? null,
  };
}
