// A machine reached over SSH. Its engine, its containers, its programs and the callback connection
// share one SSH connection.

import type { Server } from "node:http";
import type { Duplex } from "node:stream";
import { shellQuoted } from "../../base/text/shell-quote.ts";
import { NotReached } from "../../domain/container/unreachable-port.ts";
import type { Hardware } from "../../domain/machine/inventory.ts";
import { openDockerDriver } from "../../drivers/docker/docker-driver.ts";
import { DriverUnavailable } from "../../drivers/driver.ts";
import { cdiNamesReader } from "../../drivers/machine/amd-sysfs.ts";
import { gpuReader } from "../../drivers/machine/gpu-reader.ts";
import { gpuTester } from "../../drivers/machine/gpu-test/gpu-test.ts";
import { gpuUseReader } from "../../drivers/machine/load/gpu-use.ts";
import { hostLoadReader } from "../../drivers/machine/load/host-load.ts";
import { serializeGpuCalls } from "../../drivers/machine/mig/serialize-gpu-calls.ts";
import { migProfileReader, migSetter } from "../../drivers/machine/mig/set-mig-layout.ts";
import type { Gpus } from "../../drivers/machine/nvidia-smi.ts";
import type { SshLink } from "../../drivers/ssh/link.ts";
import { followOverSsh } from "../../drivers/ssh/remote-follow.ts";
import { runOverSsh } from "../../drivers/ssh/remote-run.ts";
import { pipeBoth } from "../../edge/proxy/pipe.ts";
import { type HostNetwork, PortTaken } from "../machine/host-network.ts";
import { inspectEngine, type RemoteHost } from "../machine/remote-host.ts";
import { CallbackServer } from "./callback-server.ts";

interface SshHostDeps {
  link: SshLink;
  /** The path of the engine's socket there. */
  socket: string;
  driver: Omit<Parameters<typeof openDockerDriver>[0], "host" | "open" | "connect">;
  /** Creates a server of containers. */
  containersServer: () => Server;
  /** What the store has of the last reading of its GPUs; null for nothing. */
  recallGpus: () => Promise<Gpus | null>;
}

export function openSshHost({
  link,
  socket,
  driver: options,
  containersServer,
  recallGpus,
}: SshHostDeps): RemoteHost {
  const run = runOverSsh(link);
  const driver = openDockerDriver({
    ...options,
    host: `${socket} of ${link.name}`,
    open: () => link.openSocket(socket),
    connect: (address, port) => dialBy(link, address, port),
    readCdiNames: cdiNamesReader(run),
  });
  const callbacks = new CallbackServer(containersServer, options.clock);
  const gpus = gpuReader(run, { recall: recallGpus });
  return {
    driver,
    async inspectHardware(): Promise<Hardware> {
      const { vcpus, memoryMb, system, folder } = await inspectEngine(driver);
      const [diskGb, reading] = await Promise.all([diskOf(link, folder), gpus.read()]);
      return { vcpus, memoryMb, system, diskGb, ...reading };
    },
    ...serializeGpuCalls({ readGpus: gpus.read, setMigLayout: migSetter(run) }),
    readMigProfiles: migProfileReader(run),
    testGpu: gpuTester(run),
    follow: followOverSsh(link),
    hostLoad: hostLoadReader(run),
    gpuUse: gpuUseReader(run, gpus.numbers),
    hostNetwork: hostNetworkBy(link, run, () => callbacks.connect()),
    reconnect: () => link.reconnect(),
    async close() {
      link.close();
      await callbacks.close();
      await driver.close();
    },
  };
}

/** The SSH server reports that a connection failed, but not why. */
async function dialBy(link: SshLink, address: string, port: number): Promise<Duplex> {
  try {
    return await link.openPort(address, port);
  } catch (error) {
    throw new NotReached(error instanceof DriverUnavailable ? "machine_away" : "refused");
  }
}

/**
 * The size in GB of the disk with the engine's data; of the root disk if that folder is not
 * readable.
 */
async function diskOf(link: SshLink, folder: string): Promise<number> {
  const { stdout } = await link.run(`df -P -k ${shellQuoted(folder)} 2>/dev/null || df -P -k /`);
  const blocks = Number(stdout.trim().split("\n").at(-1)?.split(/\s+/)[1]);
  return Math.floor((blocks * 1_024) / 1e9) || 0;
}

const HINT =
  "set `GatewayPorts clientspecified` in its sshd_config (and let it forward ports), or set " +
  "FREEHOLD_PUBLIC_URL to where containers reach this service";

/** The SSH server accepts the connections, and each is forwarded to the service. */
function hostNetworkBy(
  link: SshLink,
  run: HostNetwork["run"],
  connect: () => Promise<Duplex>,
): HostNetwork {
  return {
    everywhere: null,
    run,
    async listen(address, requested, over) {
      const port = await link
        .listen(
          address,
          requested,
          (sessionPrincipal) => void lead(sessionPrincipal, connect),
          over,
        )
        .catch((error: Error) => {
          if (error instanceof DriverUnavailable) throw error;
          if (requested !== 0) throw new PortTaken(error.message);
          throw new Error(`its SSH server does not allow listening there; ${HINT}`);
        });
      // The SSH server may have bound loopback instead of the requested address, without saying so.
      const opened = await link.openPort(address, port).catch((error: Error) => error);
      if (opened instanceof Error) {
        await link.unlisten(address, port);
        if (opened instanceof DriverUnavailable) throw opened;
        throw new Error(`its SSH server does not listen on ${address} for us; ${HINT}`);
      }
      opened.destroy();
      return { port, close: () => link.unlisten(address, port) };
    },
  };
}

async function lead(sessionPrincipal: Duplex, connect: () => Promise<Duplex>): Promise<void> {
  try {
    pipeBoth(sessionPrincipal, await connect());
  } catch {
    sessionPrincipal.destroy();
  }
}
