// A connection to a port of a container that takes requests, one after another. It reads the responses
// without allocating a buffer for each read, which a proxy feels: see docs/decisions/0031-proxy-client.md.

import type { Duplex } from "node:stream";
import { systemTicks } from "../../../base/clock.ts";
import { readDirectly } from "../../../base/node/direct-reads.ts";
import { ReadBuffer } from "./read-buffer.ts";
import type { RequestBody } from "./request-body.ts";
import { type ResponseHandler, ResponseReader } from "./response-reader.ts";

export interface OutgoingRequest {
  method: string;
  path: string;
  /** A flat list of names and values. */
  headers: string[];
}

/** What became of the pieces of a read: sent or copied, still to be sent, or also too many. */
export type SinkState = "sent" | "held" | "full";

export interface ResponseSink extends ResponseHandler {
  /** Called after each read. After "full", the connection waits for `resume`. */
  progress(): SinkState;
}

interface Exchange {
  reader: ResponseReader;
  sink: ResponseSink;
  body: RequestBody | null;
}

export class HttpConnection {
  readonly #stream: Duplex;
  readonly #onIdle: () => void;
  readonly #buffer = new ReadBuffer();
  #isHeld = false;
  #exchange: Exchange | null = null;
  #idleAt = systemTicks();

  readonly #onData = (piece: Buffer): void => {
    if (!this.#take(piece)) this.#stream.pause();
  };

  /** `onIdle` is called when it can take another request. */
  constructor(stream: Duplex, onIdle: () => void) {
    this.#stream = stream;
    this.#onIdle = onIdle;
    const buffer = () => this.#buffer.next(this.#isHeld);
    const take = (piece: Buffer) => this.#take(piece);
    if (!readDirectly(stream, { buffer, take })) stream.on("data", this.#onData);
    stream.on("error", () => {}); // a close event follows
    stream.once("end", () => this.#end(true));
    stream.once("close", () => this.#end(false));
  }

  get isOpen(): boolean {
    return !this.#stream.destroyed;
  }

  /** Whether it is open and has been idle for less than `ms`. */
  hasRested(ms: number): boolean {
    return this.isOpen && systemTicks() < this.#idleAt + ms;
  }

  /** Sends a request, whose parts come from a parser and therefore hold no line breaks. */
  send(
    { method, path, headers }: OutgoingRequest,
    sink: ResponseSink,
    body: RequestBody | null,
  ): void {
    this.#exchange = { reader: new ResponseReader(method, sink), sink, body };
    let head = `${method} ${path} HTTP/1.1\r\n`;
    for (let n = 0; n < headers.length; n += 2) head += `${headers[n]}: ${headers[n + 1]}\r\n`;
    head += "Connection: keep-alive\r\n\r\n";
    if (body === null) this.#stream.write(head, "latin1");
    else body.send(head, this.#stream);
  }

  /** Gives the connection to another reader of the response; it is not used again. */
  release(): Duplex {
    this.#exchange = null;
    if (!readDirectly(this.#stream, null)) this.#stream.off("data", this.#onData);
    return this.#stream;
  }

  resume(): void {
    this.#stream.resume();
  }

  /** Ends the request of a sink, if it is not over. */
  abort(sink: ResponseSink): void {
    if (this.#exchange?.sink === sink) this.#stream.destroy();
  }

  close(): void {
    this.#stream.destroy();
  }

  #take(piece: Buffer): boolean {
    // Without a request nothing may come.
    if (this.#exchange === null) {
      this.close();
      return false;
    }
    const { reader, sink } = this.#exchange;
    this.#buffer.noteRead(piece.length);
    reader.read(piece);
    if (this.#exchange === null) return true; // it was released
    const progress = sink.progress();
    this.#isHeld = progress !== "sent";
    if (!reader.isOver) return progress !== "full";
    this.#finish(this.#exchange);
    return true;
  }

  #finish({ reader, body }: Exchange): void {
    this.#exchange = null;
    this.#buffer.noteEnd();
    this.#idleAt = systemTicks();
    if (reader.leavesOpen && body?.isSent !== false) this.#onIdle();
    else {
      body?.drop();
      this.close();
    }
  }

  /** `isComplete`: the container ended the connection, rather than an error or this service. */
  #end(isComplete: boolean): void {
    const exchange = this.#exchange;
    this.#exchange = null;
    this.close();
    exchange?.body?.drop();
    exchange?.reader.end(isComplete);
  }
}
