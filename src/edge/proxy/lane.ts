// The connections to one port of one container. Idle ones are kept for a moment and used again; with
// the container all of them end.

import { Agent, type ClientRequestArgs } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Door } from "../../flows/pod/reach.ts";
import { KeptConnections } from "./kept-connections.ts";

export class Lane {
  /** For what may be asked a second time, should a connection turn out to be closed. */
  readonly kept: KeptConnections;
  /** One connection for each request. */
  readonly fresh: Agent;
  readonly #door: Door;
  readonly #open = new Set<Duplex>();

  constructor(door: Door) {
    this.#door = door;
    const dial = () => this.dial();
    this.kept = new KeptConnections(dial);
    this.fresh = new DialingAgent(dial);
    door.over.addEventListener("abort", () => this.#end(), { once: true });
  }

  /** Rejects with NotReached. */
  async dial(): Promise<Duplex> {
    const connection = await this.#door.dial();
    if (this.#door.over.aborted) {
      connection.destroy();
      throw new Error("the container has ended meanwhile");
    }
    if (!(connection instanceof Socket)) Object.assign(connection, likeSocket);
    this.#open.add(connection);
    connection.once("close", () => this.#open.delete(connection));
    return connection;
  }

  #end(): void {
    for (const connection of this.#open) connection.destroy();
  }
}

/** What Node's client takes for granted, and a stream in memory need not have. */
const likeSocket = {
  setTimeout: itself,
  setKeepAlive: itself,
  setNoDelay: itself,
  ref: itself,
  unref: itself,
};

function itself(this: Duplex): Duplex {
  return this;
}

/** The types of Node's own do not know that a connection may be anything that is a stream. */
type Connected = (error: Error | null, connection?: Duplex) => void;

class DialingAgent extends Agent {
  readonly #dial: () => Promise<Duplex>;

  constructor(dial: () => Promise<Duplex>) {
    // Without a name for TLS, which there is none of, Node looks for one in every request.
    super({ keepAlive: false, ...{ servername: "" } });
    this.#dial = dial;
  }

  override createConnection(_options: ClientRequestArgs, connected: Connected): undefined {
    this.#dial().then(
      (connection) => connected(null, connection),
      (error) => connected(error),
    );
  }

  /** All requests of a lane go to the same place. */
  override getName(): string {
    return "";
  }
}

const lanes = new WeakMap<Door, Lane>();

export function laneTo(door: Door): Lane {
  let lane = lanes.get(door);
  if (!lane) {
    lane = new Lane(door);
    lanes.set(door, lane);
  }
  return lane;
}
