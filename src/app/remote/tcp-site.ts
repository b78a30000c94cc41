// A machine of which only the engine is reached, over TLS. There is no way into its containers'
// networks, none back from there, and nobody to ask for its GPUs and its disk.

import { NotReached } from "../../domain/pod/unreached.ts";
import { openDockerDriver } from "../../drivers/docker/docker-driver.ts";
import { lookAtEngine, type Site } from "./site.ts";

export function openTcpSite(
  options: Omit<Parameters<typeof openDockerDriver>[0], "connect">,
): Site {
  const driver = openDockerDriver({
    ...options,
    connect: () => Promise.reject(new NotReached("no_way")),
  });
  return {
    driver,
    async look() {
      const { vcpus, memoryMb } = await lookAtEngine(driver);
      return { vcpus, memoryMb, diskGb: 0, gpus: [], gpuDriver: null, cudaVersion: null };
    },
    gpuUse: async () => [],
    ground: null,
    close: () => driver.close(),
  };
}
