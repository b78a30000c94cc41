// Forwarding a request on an idle connection, or on a new one that is then kept. A repeatable request is sent again if the
// idle connection turns out to be closed; any other request is sent once.

import type { ResponseWriter } from "../../http/plain/exchange.ts";
import type { HttpConnection, ResponseSink, SinkState } from "../connection/http-connection.ts";
import type { IdleConnections } from "../connection/idle-connections.ts";
import type { ResponseHead } from "../connection/response-head.ts";
import { headerPairs, responseHeaders } from "../headers.ts";
import type { ProxyRequest } from "../proxy-request.ts";
import { failureReason } from "./failure-reason.ts";
import type { Forwarding } from "./forwarding.ts";
import { relayInterim } from "./interim-response.ts";
import { rereadResponse } from "./reread-response.ts";

/** Up to this size, a body is sent in one write with its head. */
const MAX_JOINED_BYTES = 16_384;

export function forwardReusing(connections: IdleConnections, forwarding: Forwarding): void {
  const sendOnNew = () => forwardOnNew(connections, forwarding);
  if (forwarding.isRepeatable) {
    const idle = connections.take();
    if (idle) relay(idle, forwarding, sendOnNew);
    else sendOnNew();
    return;
  }
  connections.takeQuiet((idle) => {
    if (idle) relay(idle, forwarding, () => forwarding.refuse("broken"));
    else sendOnNew();
  });
}

function forwardOnNew(connections: IdleConnections, forwarding: Forwarding): void {
  const { response, refuse } = forwarding;
  connections.open().then(
    (connection) => relay(connection, forwarding, () => refuse("broken")),
    (error) => {
      if (!response.destroyed) refuse(failureReason(error));
    },
  );
}

function relay(connection: HttpConnection, forwarding: Forwarding, fail: () => void): void {
  const { outgoing, body, response } = forwarding;
  if (response.destroyed || response.writableEnded) return void connection.close();
  const sink = new ResponseRelay(connection, forwarding, fail);
  response.on("close", () => connection.abort(sink));
  connection.send(outgoing, sink, body);
}

/** Passes a response on. */
class ResponseRelay implements ResponseSink {
  readonly #connection: HttpConnection;
  readonly #forwarding: Forwarding;
  readonly #target: ProxyRequest;
  readonly #response: ResponseWriter;
  readonly #fail: () => void;
  #hasHead = false;
  #hasBegun = false;
  /** Whether the client has a refusal in its place. */
  #isLate = false;

  /** `fail` is called if the connection ends without a response. */
  constructor(connection: HttpConnection, forwarding: Forwarding, fail: () => void) {
    this.#connection = connection;
    this.#forwarding = forwarding;
    this.#target = forwarding.target;
    this.#response = forwarding.response;
    this.#fail = fail;
  }

  onInterim({ status, rawHeaders }: ResponseHead): void {
    relayInterim(status, rawHeaders, this.#target, this.#response);
  }

  onHead({ status, message, rawHeaders }: ResponseHead, hasMore: boolean): void {
    const response = this.#response;
    this.#hasHead = true;
    this.#isLate = response.headersSent;
    if (this.#isLate) return;
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
    if (!this.#response.destroyed && !this.#isLate) this.#response.write(piece);
  }

  onEnd(piece: Buffer, trailers: string[]): void {
    const response = this.#response;
    if (response.destroyed || this.#isLate) return;
    if (trailers.length > 0) response.addTrailers(headerPairs(trailers));
    if (piece.length === 0) response.end();
    else if (piece.length > MAX_JOINED_BYTES || this.#hasBegun) response.end(piece);
    // As text, it leaves in one string with the head, which costs less than two buffers.
    else response.end(piece.toString("latin1"), "latin1");
  }

  onFail(): void {
    if (this.#response.destroyed || this.#isLate) return;
    if (this.#hasHead) this.#response.destroy();
    else this.#fail();
  }

  onUnsupported(begun: Buffer): void {
    rereadResponse(this.#connection.release(), begun, this.#forwarding);
  }

  progress(): SinkState {
    const response = this.#response;
    // Node delays what it writes to the next tick. Written at once, it has usually left the buffer.
    response.socket?.uncork();
    if (response.writableLength === 0) return "sent";
    if (!response.writableNeedDrain) return "held";
    response.once("drain", () => this.#connection.resume());
    return "full";
  }
}
