// Forwarding a repeatable request on an idle connection. If the connection turns out to be closed, or its reader does
// not support the response, the request is sent again another way.

import type { ServerResponse } from "node:http";
import type { Unreached } from "../../domain/pod/container/unreachable-port.ts";
import type {
  HttpConnection,
  OutgoingRequest,
  Progress,
  ResponseSink,
} from "./connection/http-connection.ts";
import type { IdleConnections } from "./connection/idle-connections.ts";
import type { ResponseHead } from "./connection/response-head.ts";
import type { ResponseFailure } from "./connection/response-reader.ts";
import { failureReason } from "./failure-reason.ts";
import { headerPairs, responseHeaders } from "./headers.ts";
import { relayInterim } from "./interim-response.ts";
import type { ProxyRequest } from "./proxy-request.ts";

/** Up to this size, a body is sent in one write with its head. */
const MAX_JOINED_BYTES = 16_384;

export function forwardRepeatable(
  connections: IdleConnections,
  outgoing: OutgoingRequest,
  target: ProxyRequest,
  response: ServerResponse,
  refuse: (why: Unreached) => void,
  again: () => void,
): void {
  const idle = connections.take();
  if (idle) {
    relay(idle, outgoing, target, response, (why) => {
      if (why === "closed" || why === "unsupported") again();
    });
    return;
  }
  connections.open().then(
    (connection) =>
      relay(connection, outgoing, target, response, (why) => {
        if (why === "unsupported") again();
        else refuse("broken");
      }),
    (error) => {
      if (!response.destroyed) refuse(failureReason(error));
    },
  );
}

function relay(
  connection: HttpConnection,
  outgoing: OutgoingRequest,
  target: ProxyRequest,
  response: ServerResponse,
  fail: (why: ResponseFailure) => void,
): void {
  if (response.destroyed) return void connection.close();
  const sink = new ResponseRelay(connection, target, response, fail);
  response.on("close", () => connection.abort(sink));
  connection.send(outgoing, sink);
}

/** Passes a response on. */
class ResponseRelay implements ResponseSink {
  readonly #connection: HttpConnection;
  readonly #target: ProxyRequest;
  readonly #response: ServerResponse;
  readonly #fail: (why: ResponseFailure) => void;
  #hasHead = false;
  #hasBegun = false;

  /** `fail` is called if there is no response. */
  constructor(
    connection: HttpConnection,
    target: ProxyRequest,
    response: ServerResponse,
    fail: (why: ResponseFailure) => void,
  ) {
    this.#connection = connection;
    this.#target = target;
    this.#response = response;
    this.#fail = fail;
  }

  onInterim({ status, rawHeaders }: ResponseHead): void {
    relayInterim(status, rawHeaders, this.#response);
  }

  onHead({ status, message, rawHeaders }: ResponseHead, hasMore: boolean): void {
    const response = this.#response;
    this.#hasHead = true;
    this.#target.onHead?.(status);
    try {
      response.writeHead(status, message, responseHeaders(rawHeaders, this.#target));
    } catch {
      // Node cannot send these headers, such as a Trailer header without a chunked body.
      return void response.destroy();
    }
    // The head is sent with the first piece of the body, but does not wait for a slow one.
    if (!hasMore) setImmediate(() => this.#flushHead());
  }

  #flushHead(): void {
    const { writableEnded, destroyed } = this.#response;
    if (!this.#hasBegun && !writableEnded && !destroyed) this.#response.flushHeaders();
  }

  onData(piece: Buffer): void {
    this.#hasBegun = true;
    if (!this.#response.destroyed) this.#response.write(piece);
  }

  onEnd(piece: Buffer, trailers: string[]): void {
    const response = this.#response;
    if (response.destroyed) return;
    if (trailers.length > 0) response.addTrailers(headerPairs(trailers));
    if (piece.length === 0) response.end();
    else if (piece.length > MAX_JOINED_BYTES || this.#hasBegun) response.end(piece);
    // As text, it leaves in one string with the head, which costs less than two buffers.
    else response.end(piece.toString("latin1"), "latin1");
  }

  onFail(why: ResponseFailure): void {
    if (this.#response.destroyed) return;
    if (this.#hasHead) this.#response.destroy();
    else this.#fail(why);
  }

  progress(): Progress {
    const response = this.#response;
    // Node delays what it writes to the next tick. Written at once, it has usually left the buffer.
    response.socket?.uncork();
    if (response.writableLength === 0) return "sent";
    if (!response.writableNeedDrain) return "held";
    response.once("drain", () => this.#connection.resume());
    return "full";
  }
}
