// Idle connections to one port of a container, reused for a moment by undici, whose client costs half
// as much as Node's. Only for requests without a body that can be sent again if a connection turns out
// to be closed.

import type { Duplex } from "node:stream";
import type { Client, Dispatcher } from "undici";

/** Shorter than servers keep idle connections, so that a request rarely meets a closing one. */
const IDLE_MS = 1_500;
const MAX_IDLE = 256;

export interface OutgoingRequest {
  method: string;
  path: string;
  /** A flat list of names and values. */
  headers: string[];
}

export class IdleConnections {
  readonly #dial: () => Promise<Duplex>;
  /** Used as a stack: the last used connection first. */
  #idle: Client[] = [];

  constructor(dial: () => Promise<Duplex>) {
    this.#dial = dial;
  }

  /** Calls `handlerFor` with whether the connection is reused. */
  async send(
    request: OutgoingRequest,
    handlerFor: (isReused: boolean) => Dispatcher.DispatchHandler,
  ): Promise<void> {
    const idle = this.#idle.pop();
    const client = idle ?? (await this.#open());
    const handler = handlerFor(idle !== undefined);
    const { onResponseEnd, onResponseError } = handler;
    client.dispatch(request as Dispatcher.DispatchOptions, {
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
      // No timeouts: a disconnect ends the request.
      ...{ headersTimeout: 0, bodyTimeout: 0 },
      ...{ keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS },
      connect: (_options, connected) => {
        this.#dial().then(
          // undici's types do not allow a connection that is only a Duplex.
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
    if (this.#idle.length < MAX_IDLE && !client.closed) this.#idle.push(client);
    else this.#end(client);
  }

  /** Closes a client when its request is done. */
  #end(client: Client): void {
    if (!client.closed && !client.destroyed) client.close(() => {});
  }
}
