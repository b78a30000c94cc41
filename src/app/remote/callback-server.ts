// The listener that the containers of a machine over SSH reach, at a loopback port of this machine. Its requests are those
// of containers: the service's own listener would take them for its operator's.

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Clock } from "../../base/clock.ts";
import { connectTo } from "../../drivers/connection.ts";

const LOOPBACK = "127.0.0.1";

export class CallbackServer {
  readonly #open: () => Server;
  readonly #clock: Clock;
  #server: Promise<Server> | null = null;

  /** `open` creates a server of containers; it listens from the first connection on. */
  constructor(open: () => Server, clock: Clock) {
    this.#open = open;
    this.#clock = clock;
  }

  async connect(): Promise<Duplex> {
    this.#server ??= this.#listen();
    const { port } = (await this.#server).address() as AddressInfo;
    return connectTo(LOOPBACK, port, this.#clock);
  }

  async close(): Promise<void> {
    const server = await this.#server?.catch(() => null);
    server?.close();
    server?.closeAllConnections();
  }

  #listen(): Promise<Server> {
    return new Promise((resolve, reject) => {
      const server = this.#open();
      server.once("error", (error) => {
        this.#server = null;
        reject(error);
      });
      server.listen({ host: LOOPBACK, port: 0 }, () => resolve(server));
    });
  }
}
