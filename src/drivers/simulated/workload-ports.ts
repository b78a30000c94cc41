// The TCP ports of simulated workloads: behind a mapped port stands one of this machine, and any other sends back what it
// receives. Public ports are open while their workload runs.

import { createServer, type Server } from "node:net";
import type { Duplex } from "node:stream";
import { systemClock } from "../../base/clock.ts";
import { connectTo } from "../connection.ts";
import { type PortRequest, StartAborted, StartRefused, type Workload } from "../driver.ts";
import { connectionPair } from "./connection-pair.ts";
import type { ImageRule } from "./rules/image-rules.ts";

const LOOPBACK = "127.0.0.1";

interface OpenPorts {
  /** Ports of this machine, by the workload's. */
  targets: ReadonlyMap<number, number>;
  /** The ports without a target. */
  echoes: Set<number>;
  servers: Server[];
  connections: Set<Duplex>;
}

export class WorkloadPorts {
  /** Where public ports are open. */
  readonly #address: string;
  readonly #open = new Map<string, OpenPorts>();
  #isClosed = false;

  constructor(address = LOOPBACK) {
    this.#address = address;
  }

  /** Null if nothing is known to listen on the port. Rejects with NotReached if nothing listens behind it. */
  dial(id: string, port: number): Promise<Duplex> | null {
    const { targets, echoes, connections } = this.#open.get(id) ?? {};
    const target = targets?.get(port);
    if (target !== undefined) return connectTo(LOOPBACK, target, systemClock);
    if (!connections || !echoes?.has(port)) return null;
    const [clientEnd, serverEnd] = connectionPair();
    sendBack(tracked(connections, serverEnd), id, port);
    return Promise.resolve(tracked(connections, clientEnd));
  }

  /**
   * Opens the ports of a workload that starts; null if it has none. Rejects with StartRefused if another program has one of
   * them, and with StartAborted if they are closed meanwhile.
   */
  open({ id, ports = [] }: Workload, rule: ImageRule | null): Promise<void> | null {
    this.close(id);
    const targets = rule?.ports ?? new Map<number, number>();
    const isServed = (port: PortRequest) => !rule?.program || targets.has(port.container);
    const tcp = ports.filter((port) => port.protocol === "tcp" && isServed(port));
    if (tcp.length === 0 && targets.size === 0) return null;
    if (this.#isClosed) return Promise.reject(new StartAborted("its ports were closed"));
    const unmapped = tcp.filter(({ container }) => !targets.has(container));
    const echoes = new Set(unmapped.map(({ container }) => container));
    const open: OpenPorts = { targets, echoes, servers: [], connections: new Set() };
    this.#open.set(id, open);
    return this.#listenAll(id, tcp, open);
  }

  close(id: string): void {
    const { servers = [], connections = [] } = this.#open.get(id) ?? {};
    this.#open.delete(id);
    for (const server of servers) server.close();
    for (const connection of connections) connection.destroy();
  }

  /** Also keeps starts that are under way from opening ports afterwards. */
  closeAll(): void {
    this.#isClosed = true;
    for (const id of [...this.#open.keys()]) this.close(id);
  }

  async #listenAll(id: string, ports: PortRequest[], open: OpenPorts): Promise<void> {
    try {
      for (const { container, hostPort = container } of ports) {
        if (this.#open.get(id) !== open) throw new StartAborted("its ports were closed");
        const server = createServer((client) => {
          void this.#serve(id, container, tracked(open.connections, client));
        });
        open.servers.push(server);
        await listen(server, hostPort, this.#address);
      }
    } catch (error) {
      if (this.#open.get(id) === open) this.close(id);
      throw error;
    }
  }

  async #serve(id: string, container: number, client: Duplex): Promise<void> {
    const target = await this.dial(id, container)?.catch(() => null);
    if (!target) {
      client.destroy();
      return;
    }
    target.on("error", () => {}); // a close event follows
    client.once("close", () => target.destroy());
    target.once("close", () => client.destroy());
    client.pipe(target).pipe(client);
  }
}

function listen(server: Server, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("listening", resolve);
    server.once("close", () => reject(new StartAborted("its ports were closed")));
    server.on("error", ({ code, message }: NodeJS.ErrnoException) => {
      const isTaken = code === "EADDRINUSE";
      const place = `${address}:${port}`;
      const sentence = isTaken ? `another program has ${place}` : `${place} is refused: ${message}`;
      reject(new StartRefused(sentence, isTaken ? "port_taken" : null));
    });
    server.listen(port, address);
  });
}

function tracked<Connection extends Duplex>(all: Set<Duplex>, connection: Connection): Connection {
  all.add(connection);
  connection.on("error", () => {}); // a close event follows
  connection.once("close", () => all.delete(connection));
  return connection;
}

function sendBack(connection: Duplex, id: string, port: number): void {
  connection.write(`Port ${port} of Pod ${id} is simulated: it sends back what it receives.\n`);
  connection.pipe(connection);
}
