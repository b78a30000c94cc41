// What `nvidia-smi` says of a machine's GPUs; nothing where it is not there or has none.

import type { Hardware } from "../../domain/machine/inventory.ts";
import type { Run } from "./run.ts";

const QUERY = [
  "--query-gpu=index,name,memory.total,driver_version",
  "--format=csv,noheader,nounits",
];

type Gpus = Pick<Hardware, "gpus" | "gpuDriver" | "cudaVersion">;

export async function lookAtGpus(run: Run): Promise<Gpus> {
  try {
    const [listed, banner] = await Promise.all([run("nvidia-smi", QUERY), run("nvidia-smi", [])]);
    return readGpus(listed, banner);
  } catch {
    return { gpus: [], gpuDriver: null, cudaVersion: null };
  }
}

/** `banner` is what it prints without arguments: only there stands the CUDA version. */
export function readGpus(listed: string, banner: string): Gpus {
  const lines = listed.split("\n").map((line) => line.split(",").map((cell) => cell.trim()));
  const found = lines.filter(([index, name]) => /^\d+$/.test(index ?? "") && name);
  return {
    gpus: found.map(([index, name, memory]) => {
      // "[N/A]" where memory is the machine's own.
      return { index: Number(index), name: name!, memoryMb: Number.parseInt(memory!, 10) || 0 };
    }),
    gpuDriver: found[0]?.[3] ?? null,
    cudaVersion: /CUDA Version:\s*(\d+\.\d+)/.exec(banner)?.[1] ?? null,
  };
}
