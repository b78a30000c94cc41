// This machine's hardware, as its operating system and its GPUs' driver tell it.

import { statfs } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import type { Hardware } from "../../domain/machine/inventory.ts";
import { lookAtGpus } from "./nvidia-smi.ts";
import type { Run } from "./run.ts";

/** `folder` lies on the disk that is measured. */
export async function lookAtMachine(folder: string, run: Run): Promise<Hardware> {
  const [{ blocks, bsize }, gpus] = await Promise.all([statfs(folder), lookAtGpus(run)]);
  return {
    vcpus: availableParallelism(),
    memoryMb: Math.floor(totalmem() / 1_048_576),
    diskGb: Math.floor((blocks * bsize) / 1e9),
    ...gpus,
  };
}
