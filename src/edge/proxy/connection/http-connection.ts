// A connection to a port of a container that takes requests without a body, one after another. It reads the responses
// without allocating a buffer for each read, which a proxy feels: see docs/decisions/0031-proxy-client.md.

import type { Duplex } from "node:stream";
import { systemTicks } from "../../../base/clock.ts";
import { readDirectly } from "../../../base/direct-reads.ts";
import { ReadBuffer } from "./read-buffer.ts";
import { type ResponseHandler, ResponseReader } from "./response-reader.ts";

export interface OutgoingRequest {
  method: string;
  path: string;
  /** A flat list of names and values. */
  headers: string[];
}

/** What became of the pieces of a read: sent or copied, still to be sent, or also too many. */
export type Progress = "sent" | "held" | "full";

export interface ResponseSink extends ResponseHandler {
  /** Called after each read. After "full", the connection waits for `resume`. */
  progress(): Progress;
}

/** Shorter than servers keep idle connections, so that a request rarely meets a closing one. */
export const IDLE_MS = 1_500;

export class HttpConnection {
  readonly #stream: Duplex;
  readonly #onIdle: () => void;
  readonly #buffer = new ReadBuffer();
  #isHeld = false;
  #reading: { reader: ResponseReader; sink: ResponseSink } | null = null;
  #idleAt = systemTicks();

  /** `onIdle` is called when it can take another request. */
  constructor(stream: Duplex, onIdle: () => void) {
    this.#stream = stream;
    this.#onIdle = onIdle;
    const buffer = () => this.#buffer.next(this.#isHeld);
    const take = (piece: Buffer) => this.#take(piece);
    if (!readDirectly(stream, { buffer, take })) {
      stream.on("data", (piece: Buffer) => {
        if (!take(piece)) stream.pause();
      });
    }
    stream.on("error", () => {}); // a close event follows
    stream.once("end", () => this.#end(true));
    stream.once("close", () => this.#end(false));
  }

  /** Whether it takes a request, as one that has just become idle. */
  get isUsable(): boolean {
    return !this.#stream.destroyed && systemTicks() < this.#idleAt + IDLE_MS;
  }

  /** Sends a request, whose parts come from Node's parser and therefore hold no line breaks. */
  send({ method, path, headers }: OutgoingRequest, sink: ResponseSink): void {
    this.#reading = { reader: new ResponseReader(method, sink), sink };
    let text = `${method} ${path} HTTP/1.1\r\n`;
    for (let n = 0; n < headers.length; n += 2) text += `${headers[n]}: ${headers[n + 1]}\r\n`;
    this.#stream.write(`${text}Connection: keep-alive\r\n\r\n`, "latin1");
  }

  resume(): void {
    this.#stream.resume();
  }

  /** Ends the request of a sink, if it is not over. */
  abort(sink: ResponseSink): void {
    if (this.#reading?.sink === sink) this.#stream.destroy();
  }

  close(): void {
    this.#stream.destroy();
  }

  #take(piece: Buffer): boolean {
    // Without a request nothing may come.
    if (this.#reading === null) {
      this.close();
      return false;
    }
    const { reader, sink } = this.#reading;
    this.#buffer.noteRead(piece.length);
    reader.read(piece);
    const progress = sink.progress();
    this.#isHeld = progress !== "sent";
    if (!reader.isOver) return progress !== "full";
    this.#finish(reader);
    return true;
  }

  #finish(reader: ResponseReader): void {
    this.#reading = null;
    this.#buffer.noteEnd();
    this.#idleAt = systemTicks();
    if (reader.leavesOpen) this.#onIdle();
    else this.close();
  }

  /** `isComplete`: the container ended the connection, rather than an error or this service. */
  #end(isComplete: boolean): void {
    const reading = this.#reading;
    this.#reading = null;
    this.close();
    reading?.reader.end(isComplete);
  }
}
