// The address of a database that moves: a TCP relay whose target a test switches, cuts and holds up.

import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

interface Pair {
  client: Socket;
  upstream: Socket;
  /** What the client has sent first: the name of its role is in it. */
  opening: string;
}

/** Runs a function at the end, as a test does. */
export interface AfterHook {
  after(close: () => void): void;
}

export class Relay {
  readonly port: number;
  #target: number;
  readonly #pairs: Set<Pair>;

  private constructor(port: number, target: number, pairs: Set<Pair>) {
    this.port = port;
    this.#target = target;
    this.#pairs = pairs;
  }

  static async start(t: AfterHook, target: number): Promise<Relay> {
    const pairs = new Set<Pair>();
    const server = createServer((client) => {
      const upstream = connect(relay.#target, "127.0.0.1");
      const pair = { client, upstream, opening: "" };
      pairs.add(pair);
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        from.on("error", () => {}); // a close event follows
        from.on("data", (bytes) => to.write(bytes));
        from.on("close", () => to.destroy());
      }
      client.once("data", (bytes) => {
        pair.opening = bytes.toString("latin1");
      });
      client.on("close", () => pairs.delete(pair));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => {
      server.close();
      relay.cut();
    });
    const { port } = server.address() as { port: number };
    const relay = new Relay(port, target, pairs);
    return relay;
  }

  /** The URL of a database through this address. */
  urlFor(url: string): string {
    return Object.assign(new URL(url), { port: String(this.port) }).href;
  }

  /** New connections lead there; those that are open stay. */
  pointTo(target: number): void {
    this.#target = target;
  }

  /** Cuts all connections, or those of a role ("writes", "reads", "notifications"). */
  cut(role = ""): void {
    for (const { client, opening } of this.#pairs) {
      if (role === "" || opening.includes(`freehold ${role}`)) client.destroy();
    }
  }
}
