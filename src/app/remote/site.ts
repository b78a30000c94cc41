// A machine at an address of its own, as whoever attends it holds it.

import type { Hardware } from "../../domain/machine/inventory.ts";
import type { GpuUse } from "../../domain/usage/sample.ts";
import type { DockerDriver } from "../../drivers/docker/docker-driver.ts";
import type { Ground } from "../ground.ts";

export interface Site {
  driver: DockerDriver;
  /** What is seen of it; rejects with DriverAway where it does not answer. */
  look(): Promise<Hardware>;
  gpuUse(): Promise<GpuUse[]>;
  /** Null where nothing there leads back to the service. */
  ground: Ground | null;
  close(): Promise<void>;
}

/** What an engine says of its machine; the disk and GPUs it knows nothing of. */
export async function lookAtEngine({ engine }: DockerDriver) {
  const info = await engine.askSoon((docker) => docker.info());
  const { NCPU, MemTotal, DockerRootDir } = info as Record<string, unknown>;
  return {
    vcpus: Number(NCPU),
    memoryMb: Math.floor(Number(MemTotal) / 1_048_576),
    folder: String(DockerRootDir),
  };
}
