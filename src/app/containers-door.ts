// The way from containers back to the service. Each account's network has a gateway, which is this
// machine; on its address a second listener takes the same requests as the first, because that one
// listens on loopback, where no container is. Its port stays the same over restarts: containers live
// on, and know it.

import type { Server } from "node:http";
import { isIPv4 } from "node:net";
import type { FastifyBaseLogger } from "fastify";
import type { DockerDriver } from "../drivers/docker/docker-driver.ts";
import { applyRules } from "../drivers/docker/firewall.ts";
import { StartRefused } from "../drivers/driver.ts";

export interface DoorOptions {
  driver: DockerDriver;
  log: FastifyBaseLogger;
  /** Makes a server that answers as the first one does. */
  anotherServer: () => Server;
  /** What the service itself listens on. */
  own: { host: string; port: number };
  /** Where containers reach the service if they cannot by this machine's address. */
  publicUrl: string | null;
  /** The port of an earlier life, kept by `keepPort`. */
  keptPort: number | null;
  keepPort: (port: number) => void;
}

export class ContainersDoor {
  readonly #options: DoorOptions;
  /** By gateway. */
  readonly #listening = new Map<string, Promise<Server>>();
  #port: number | null;
  #closed = false;
  #toldOfRules = false;

  constructor(options: DoorOptions) {
    this.#options = options;
    this.#port = options.keptPort;
    options.driver.onConnect(() => this.#openAgain());
  }

  /** Where the account's containers reach the service: http://172.18.0.1:8700 */
  async originFor(account: string): Promise<string> {
    const { driver, own, publicUrl } = this.#options;
    const gateway = await driver.networks.gateway(account);
    try {
      const port = coversAll(own.host) ? own.port : await this.#listen(gateway);
      await this.#keepOut(port);
      return `http://${isIPv4(gateway) ? gateway : `[${gateway}]`}:${port}`;
    } catch (error) {
      if (publicUrl) return publicUrl;
      throw new StartRefused(
        `the machine cannot call back: this service cannot listen on ${gateway}, its address in the ` +
          `containers' network (${(error as Error).message}); set FREEHOLD_PUBLIC_URL to where ` +
          "containers reach it",
        "no_way_back",
      );
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const servers = await Promise.allSettled(this.#listening.values());
    await Promise.all(
      servers.flatMap((each) => (each.status === "fulfilled" ? [closed(each.value)] : [])),
    );
  }

  /** Containers that are there already find the service again. */
  async #openAgain(): Promise<void> {
    for (const account of await this.#options.driver.networks.accounts()) {
      if (!this.#closed) await this.originFor(account).catch(() => {});
    }
  }

  async #listen(gateway: string): Promise<number> {
    const listening = this.#listening.get(gateway) ?? this.#bind(gateway);
    this.#listening.set(gateway, listening);
    try {
      const { port } = (await listening).address() as { port: number };
      if (port !== this.#port) this.#options.keepPort(port);
      this.#port = port;
      return port;
    } catch (error) {
      this.#listening.delete(gateway);
      throw error;
    }
  }

  /** The port of earlier, then the service's own, then any. */
  async #bind(gateway: string): Promise<Server> {
    const wishes = [this.#port, this.#options.own.port, 0].filter((port) => port !== null);
    for (const port of wishes) {
      const server = this.#options.anotherServer();
      const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
        server.once("error", resolve);
        server.listen(port, gateway, () => resolve(null));
      });
      if (error === null) return server;
      if (error.code !== "EADDRINUSE") throw error;
    }
    throw new Error("no port is free");
  }

  async #keepOut(port: number): Promise<void> {
    const { driver, log } = this.#options;
    const why = await applyRules({ bridgePrefix: driver.networks.bridgePrefix, port });
    if (why !== null && !this.#toldOfRules) {
      this.#toldOfRules = true;
      log.warn({ why }, "containers can reach the ports of this machine: no rules could be set");
    }
  }
}

const coversAll = (host: string) => host === "0.0.0.0" || host === "::";

async function closed(server: Server): Promise<void> {
  const done = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await done;
}
