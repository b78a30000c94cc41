// Connections to one port of a container that are kept for a moment when a request is over and used
// again: by undici, whose client costs half of what Node's own does. Only for requests without a body
// that may be asked a second time, should a connection turn out to be closed.

import type { Duplex } from "node:stream";
import type { Client, Dispatcher } from "undici";

/** Shorter than servers keep idle connections, or requests would meet them as they close. */
const IDLE_MS = 1_500;
const MOST_IDLE = 256;

export interface Asked {
  method: string;
  path: string;
  /** Names and values in turn. */
  headers: string[];
}

export class KeptConnections {
  readonly #dial: () => Promise<Duplex>;
  /** The one that was used last is used first. */
  #idle: Client[] = [];

  constructor(dial: () => Promise<Duplex>) {
    this.#dial = dial;
  }

  /** `handlerFor` is told whether the connection was there before. */
  async ask(
    asked: Asked,
    handlerFor: (kept: boolean) => Dispatcher.DispatchHandler,
  ): Promise<void> {
    const idle = this.#idle.pop();
    const client = idle ?? (await this.#open());
    const handler = handlerFor(idle !== undefined);
    const { onResponseEnd, onResponseError } = handler;
    client.dispatch(asked as Dispatcher.DispatchOptions, {
      ...handler,
      onResponseEnd: (controller, trailers) => {
        this.#rest(client);
        onResponseEnd?.(controller, trailers);
      },
      onResponseError: (controller, error) => {
        client.destroy(null, () => {});
        onResponseError?.(controller, error);
      },
    });
  }

  async #open(): Promise<Client> {
    const { Client } = await import("undici");
    const client = new Client("http://pod", {
      // Whoever goes away says so; nobody is hurried.
      ...{ headersTimeout: 0, bodyTimeout: 0 },
      ...{ keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS },
      connect: (_options, connected) => {
        this.#dial().then(
          // Its types know of no connection that is not the network's.
          (connection) => connected(null, connection as never),
          (error) => connected(error, null),
        );
      },
    });
    client.on("disconnect", () => {
      this.#idle = this.#idle.filter((each) => each !== client);
      this.#end(client);
    });
    return client;
  }

  #rest(client: Client): void {
    if (this.#idle.length < MOST_IDLE && !client.closed) this.#idle.push(client);
    else this.#end(client);
  }

  /** Once it has done what it was asked for. */
  #end(client: Client): void {
    if (!client.closed && !client.destroyed) client.close(() => {});
  }
}
