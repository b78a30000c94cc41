// An HTTP server whose connections belong to listener threads. To its users it is like any other.

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ListenerThreads } from "./listener-threads.ts";
import type { ListenAt } from "./require-free.ts";
import type { ThreadSocket } from "./thread-socket.ts";

export function acceptFromThreads(server: Server, threads: ListenerThreads): void {
  const connections = new Connections(server);
  let listening: { listener: number; address: AddressInfo } | null = null;

  Object.defineProperty(server, "listening", { get: () => listening !== null });
  server.address = () => listening?.address ?? null;
  server.getConnections = (callback) => {
    process.nextTick(callback, null, connections.count);
    return server;
  };

  const listen = ({ host, port }: ListenAt, callback?: () => void): Server => {
    if (callback) server.once("listening", callback);
    threads
      .listen({ host, port }, (socket) => connections.add(socket))
      .then(
        (begun) => {
          listening = begun;
          server.emit("listening");
          connections.begin();
        },
        (error) => server.emit("error", error),
      );
    return server;
  };
  server.listen = listen as Server["listen"];

  const closeOwn = server.close;
  server.close = (callback) => {
    if (listening === null) return closeOwn.call(server, callback);
    const { listener } = listening;
    listening = null;
    closeOwn.call(server); // it stops its timers
    void Promise.all([threads.stop(listener), connections.end()]).then(() => callback?.());
    return server;
  };
}

class Connections {
  readonly #server: Server;
  readonly #open = new Set<ThreadSocket>();
  /** Those that came before the server had begun: until then it would not keep track of them. */
  #early: ThreadSocket[] | null = [];
  #ended: PromiseWithResolvers<void> | null = null;

  constructor(server: Server) {
    this.#server = server;
  }

  get count(): number {
    return this.#open.size;
  }

  add(socket: ThreadSocket): void {
    if (this.#early !== null) return void this.#early.push(socket);
    if (this.#ended !== null) return void socket.destroy(); // it was on its way when the server closed
    if (socket.destroyed) return; // its client has left meanwhile
    this.#open.add(socket);
    socket.once("close", () => this.#remove(socket));
    this.#server.emit("connection", socket);
  }

  begin(): void {
    const early = this.#early ?? [];
    this.#early = null;
    for (const socket of early) this.add(socket);
  }

  /** Resolves once all are closed. */
  end(): Promise<void> {
    this.#ended = Promise.withResolvers();
    if (this.#open.size === 0) this.#ended.resolve();
    return this.#ended.promise;
  }

  #remove(socket: ThreadSocket): void {
    this.#open.delete(socket);
    if (this.#open.size === 0) this.#ended?.resolve();
  }
}
