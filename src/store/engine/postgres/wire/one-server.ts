// The server that all connections of a store use. After a failover the address leads to another one, but a connection
// that nothing cut stays with the old one: its reads would show an old state. The latest connection is right, because
// it went by the address.

import type { PersistentConnection } from "./persistent-connection.ts";

export class OneServer {
  readonly #connections: PersistentConnection[] = [];

  add(connection: PersistentConnection): void {
    this.#connections.push(connection);
  }

  /** A new session reached this server: sessions on any other are cut. */
  reached(server: string): void {
    for (const connection of this.#connections) connection.leave(server);
  }
}
