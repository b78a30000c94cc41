// A machine of which only the engine is reached, over TLS. Its containers' networks cannot be
// reached, nothing leads back from there, and its GPUs and disk are unknown.

import { NotReached } from "../../domain/container/unreachable-port.ts";
import { openDockerDriver } from "../../drivers/docker/docker-driver.ts";
import { inspectEngine, type RemoteHost } from "../machine/remote-host.ts";

export function openTcpHost(
  options: Omit<Parameters<typeof openDockerDriver>[0], "connect">,
): RemoteHost {
  const driver = openDockerDriver({
    ...options,
    connect: () => Promise.reject(new NotReached("no_way")),
  });
  return {
    driver,
    async inspectHardware() {
      const { vcpus, memoryMb, system } = await inspectEngine(driver);
      return { vcpus, memoryMb, system, diskGb: 0, gpus: [], gpuDriver: null, cudaVersion: null };
    },
    readGpus: null,
    follow: null,
    testGpu: null,
    gpuUse: async () => [],
    hostLoad: async () => null,
    hostNetwork: null,
    reconnect() {},
    close: () => driver.close(),
  };
}
