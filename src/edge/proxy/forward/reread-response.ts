// Reading a response with Node's own client after this proxy's reader did not accept its head. The request was sent and
// is not sent again: the client gets a connection that repeats what has come and drops what it writes.

import { Duplex } from "node:stream";
import { request as ask } from "../../../base/node/http.ts";
import { likeSocket } from "../connection/connection-pool.ts";
import type { Forwarding } from "./forwarding.ts";
import { relayAnswer } from "./node-relay.ts";

/** `begun` are the bytes of the response that have been read. */
export function rereadResponse(
  stream: Duplex,
  begun: Buffer,
  { outgoing, target, response, refuse }: Forwarding,
): void {
  const createConnection = () => new RereadConnection(stream, begun);
  const podRequest = ask({ createConnection, ...outgoing });
  relayAnswer(podRequest, target, response, refuse);
  podRequest.end();
}

class RereadConnection extends Duplex {
  readonly #stream: Duplex;

  constructor(stream: Duplex, begun: Buffer) {
    super();
    Object.assign(this, likeSocket);
    this.#stream = stream;
    this.push(begun);
    const end = () => {
      if (!this.destroyed && !this.readableEnded) this.push(null);
    };
    stream.on("data", (piece) => {
      if (!this.push(piece)) stream.pause();
    });
    if (stream.destroyed) end();
    else stream.once("close", end);
  }

  override _read(): void {
    this.#stream.resume();
  }

  override _write(_piece: unknown, _encoding: unknown, done: () => void): void {
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#stream.destroy();
    done(error);
  }
}
