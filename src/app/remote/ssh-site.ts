// A machine that is reached by SSH: its engine, its containers, its programs and the way back from
// there all go through one connection.

import type { Duplex } from "node:stream";
import type { Hardware } from "../../domain/machine/inventory.ts";
import { NotReached } from "../../domain/pod/unreached.ts";
import { connectTo } from "../../drivers/connect.ts";
import { openDockerDriver } from "../../drivers/docker/docker-driver.ts";
import { DriverAway } from "../../drivers/driver.ts";
import { lookAtGpuUse } from "../../drivers/machine/gpu-use.ts";
import { lookAtGpus } from "../../drivers/machine/nvidia-smi.ts";
import type { SshLink } from "../../drivers/ssh/link.ts";
import { runBy } from "../../drivers/ssh/run.ts";
import { passThrough } from "../../edge/proxy/pass-through.ts";
import { type Ground, PortTaken } from "../ground.ts";
import { lookAtEngine, type Site } from "./site.ts";

interface SshSiteDeps {
  link: SshLink;
  /** The engine's socket there. */
  socket: string;
  driver: Omit<Parameters<typeof openDockerDriver>[0], "host" | "open" | "connect">;
  /** What the service itself listens on. */
  own: { host: string; port: number };
}

export function openSshSite({ link, socket, driver: options, own }: SshSiteDeps): Site {
  const driver = openDockerDriver({
    ...options,
    host: `${socket} of ${link.name}`,
    open: () => link.openSocket(socket),
    connect: (address, port) => dialBy(link, address, port),
  });
  const run = runBy(link);
  return {
    driver,
    async look(): Promise<Hardware> {
      const { vcpus, memoryMb, folder } = await lookAtEngine(driver);
      const [diskGb, gpus] = await Promise.all([diskOf(link, folder), lookAtGpus(run)]);
      return { vcpus, memoryMb, diskGb, ...gpus };
    },
    gpuUse: () => lookAtGpuUse(run),
    ground: groundBy(link, run, () => connectTo(loopbackOf(own.host), own.port, options.clock)),
    async close() {
      link.close();
      await driver.close();
    },
  };
}

/** Its SSH server says that a connection failed, and not why. */
async function dialBy(link: SshLink, address: string, port: number): Promise<Duplex> {
  try {
    return await link.openPort(address, port);
  } catch (error) {
    throw new NotReached(error instanceof DriverAway ? "machine_away" : "refused");
  }
}

/** The size of the disk with the engine's data, in GB; of the whole machine's where that is not ours to see. */
async function diskOf(link: SshLink, folder: string): Promise<number> {
  const quoted = `'${folder.replaceAll("'", "'\\''")}'`;
  const { stdout } = await link.run(`df -P -k ${quoted} 2>/dev/null || df -P -k /`);
  const blocks = Number(stdout.trim().split("\n").at(-1)?.split(/\s+/)[1]);
  return Math.floor((blocks * 1_024) / 1e9) || 0;
}

const loopbackOf = (host: string) =>
  host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;

const HINT =
  "set `GatewayPorts clientspecified` in its sshd_config (and let it forward ports), or set " +
  "FREEHOLD_PUBLIC_URL to where containers reach this service";

/** Its SSH server takes the connections, and each becomes one to the service. */
function groundBy(link: SshLink, run: Ground["run"], connect: () => Promise<Duplex>): Ground {
  return {
    everywhere: null,
    run,
    async listen(address, wished, over) {
      const port = await link
        .listen(address, wished, (visitor) => void lead(visitor, connect), over)
        .catch((error: Error) => {
          if (error instanceof DriverAway) throw error;
          if (wished !== 0) throw new PortTaken(error.message);
          throw new Error(`its SSH server lets nobody listen there; ${HINT}`);
        });
      // It may have taken loopback in the address's place, and says nothing of it.
      const there = await link.openPort(address, port).catch((error: Error) => error);
      if (there instanceof Error) {
        await link.unlisten(address, port);
        if (there instanceof DriverAway) throw there;
        throw new Error(`its SSH server does not listen on ${address} for us; ${HINT}`);
      }
      there.destroy();
      return { port, close: () => link.unlisten(address, port) };
    },
  };
}

async function lead(visitor: Duplex, connect: () => Promise<Duplex>): Promise<void> {
  try {
    passThrough(visitor, await connect());
  } catch {
    visitor.destroy();
  }
}
