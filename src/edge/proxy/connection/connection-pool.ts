// The connections to one port of one container. Idle ones are reused for a moment; all of them are
// closed when the container ends.

import type { AgentOptions, ClientRequestArgs } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Agent } from "../../../base/node/http.ts";
import type { PodConnection } from "../../../flows/pod/reach.ts";
import { IdleConnections } from "./idle-connections.ts";

export class ConnectionPool {
  readonly idle: IdleConnections;
  /** Opens a new connection for each request that Node's client sends. */
  readonly agent: Agent;
  readonly #podConnection: PodConnection;
  readonly #open = new Set<Duplex>();

  constructor(podConnection: PodConnection) {
    this.#podConnection = podConnection;
    const dial = () => this.dial();
    this.idle = new IdleConnections(dial);
    this.agent = new DialingAgent(dial);
    podConnection.over.addEventListener("abort", () => this.#end(), { once: true });
  }

  /** Rejects with NotReached. */
  async dial(): Promise<Duplex> {
    const connection = await this.#podConnection.dial();
    if (this.#podConnection.over.aborted) {
      connection.destroy();
      throw new Error("the container has ended");
    }
    if (!(connection instanceof Socket)) Object.assign(connection, likeSocket);
    this.#open.add(connection);
    connection.once("close", () => this.#open.delete(connection));
    return connection;
  }

  #end(): void {
    this.idle.close();
    for (const connection of this.#open) connection.destroy();
  }
}

/** Socket methods that Node's client calls and an in-memory stream does not have. */
export const likeSocket = {
  setTimeout: returnThis,
  setKeepAlive: returnThis,
  setNoDelay: returnThis,
  ref: returnThis,
  unref: returnThis,
};

function returnThis(this: Duplex): Duplex {
  return this;
}

/** Node's types do not allow a connection that is only a Duplex. */
type Connected = (error: Error | null, connection?: Duplex) => void;

class DialingAgent extends Agent {
  readonly #dial: () => Promise<Duplex>;

  constructor(dial: () => Promise<Duplex>) {
    // An empty server name avoids Node's lookup of a TLS server name in every request.
    super({ keepAlive: false, servername: "" } as AgentOptions);
    this.#dial = dial;
  }

  override createConnection(_options: ClientRequestArgs, connected: Connected): undefined {
    this.#dial().then(
      (connection) => connected(null, connection),
      (error) => connected(error),
    );
  }

  /** All requests of a pool have the same destination. */
  override getName(): string {
    return "";
  }
}

const pools = new WeakMap<PodConnection, ConnectionPool>();

export function poolFor(podConnection: PodConnection): ConnectionPool {
  let pool = pools.get(podConnection);
  if (!pool) {
    pool = new ConnectionPool(podConnection);
    pools.set(podConnection, pool);
  }
  return pool;
}
