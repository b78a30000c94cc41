// A remote machine as the replica that manages it holds it.

import { MIB } from "../../base/units.ts";
import type { Hardware } from "../../domain/machine/inventory.ts";
import type { GpuLoad } from "../../domain/machine/load/load.ts";
import type { DockerDriver } from "../../drivers/docker/docker-driver.ts";
import type { ReadGpus } from "../../drivers/machine/gpu-reader.ts";
import type { TestGpu } from "../../drivers/machine/gpu-test/gpu-test.ts";
import type { Follow } from "../../drivers/machine/kernel-log.ts";
import type { ReadHostLoad } from "../../drivers/machine/load/host-load.ts";
import type { ReadMigProfiles, SetMigLayout } from "../../drivers/machine/mig/set-mig-layout.ts";
import type { HostNetwork } from "./host-network.ts";

export interface RemoteHost {
  driver: DockerDriver;
  /** Returns its hardware. Rejects with DriverUnavailable if it does not answer. */
  inspectHardware(): Promise<Hardware>;
  /** Null if its GPUs cannot be read. Rejects with DriverUnavailable if it does not answer. */
  readGpus: ReadGpus | null;
  /** Null if no program can be run there. */
  testGpu: TestGpu | null;
  setMigLayout: SetMigLayout | null;
  readMigProfiles: ReadMigProfiles | null;
  /** Follows its kernel log; null if that cannot be read. */
  follow: Follow | null;
  gpuUse(): Promise<GpuLoad[]>;
  /** Null if the machine does not tell. */
  hostLoad: ReadHostLoad;
  /** Null if nothing there leads back to the service. */
  hostNetwork: HostNetwork | null;
  /** Ends its connection, if it shares one; the next call opens another. */
  reconnect(): void;
  close(): Promise<void>;
}

/** What an engine reports of its machine. It knows nothing of the disk and the GPUs. */
export async function inspectEngine({ engine }: DockerDriver) {
  const info = await engine.callWithin((docker) => docker.info());
  const { NCPU, MemTotal, DockerRootDir } = info as Record<string, unknown>;
  const { OperatingSystem, KernelVersion, ServerVersion } = info as Record<string, string>;
  return {
    system: {
      os: OperatingSystem ?? null,
      kernelVersion: KernelVersion ?? null,
      engineVersion: ServerVersion ?? null,
      cpu: null,
    },
    vcpus: Number(NCPU),
    memoryMb: Math.floor(Number(MemTotal) / MIB),
    folder: String(DockerRootDir),
  };
}
