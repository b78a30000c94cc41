// This machine's hardware, as its operating system and its GPUs' driver tell it.

import { statfs } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import type { Hardware } from "../../domain/machine/inventory.ts";
import { lookAtGpus } from "./nvidia-smi.ts";

/** `folder` lies on the disk that is measured; `env` is what programs are looked for by. */
export async function lookAtMachine(
  folder: string,
  env: Record<string, string | undefined>,
): Promise<Hardware> {
  const [{ blocks, bsize }, gpus] = await Promise.all([statfs(folder), lookAtGpus(env)]);
  return {
    vcpus: availableParallelism(),
    memoryMb: Math.floor(totalmem() / 1_048_576),
    diskGb: Math.floor((blocks * bsize) / 1e9),
    ...gpus,
  };
}
