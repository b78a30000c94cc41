// The response to a plain request. Its head leaves with the first piece of its body, in one write if that is small.

import type { Socket } from "node:net";
import { systemClock } from "../../../base/clock.ts";
import { STATUS_CODES } from "../../../base/node/http.ts";
import type { ResponseWriter } from "./exchange.ts";
import { headerLines } from "./header-lines.ts";
import type { PlainRequest } from "./plain-request.ts";

/** Up to this size, a piece is sent in one string with what surrounds it. */
const MAX_JOINED_BYTES = 16_384;

const MESSAGE = /^[\t\x20-\x7e\x80-\xff]*$/;
const NOTHING = Buffer.alloc(0);

export interface PlainResponseOptions {
  keepAliveS: number;
  /** Whether the server is closing, which closes the connection after the response. */
  isClosing(): boolean;
  /** Called when the response is sent. */
  onSent(): void;
}

/** A response without an EventEmitter, which would cost a small request more than its two events. */
export class PlainResponse implements ResponseWriter {
  readonly req: PlainRequest;
  readonly socket: Socket;
  /** Whether the connection closes after the response. */
  isLast: boolean;
  headersSent = false;
  destroyed = false;
  writableEnded = false;
  writableFinished = false;
  readonly #options: PlainResponseOptions;
  /** What is not yet written of the head. */
  #head = "";
  #hasBody = true;
  #isChunked = false;
  #trailers = "";
  /** Writes that are under way. */
  #writing = 0;
  #onClose: (() => void)[] = [];
  #onDrain: (() => void)[] = [];
  #onceDrained: (() => void)[] = [];

  readonly #onWritten = (error?: Error | null): void => {
    this.#writing--;
    if (error) return; // the connection closes
    if (this.writableEnded && this.#writing === 0) this.#finish();
  };

  constructor(req: PlainRequest, options: PlainResponseOptions) {
    this.req = req;
    this.socket = req.socket;
    this.isLast = !req.isKept;
    this.#options = options;
  }

  get writableLength(): number {
    return this.socket.writableLength;
  }

  get writableNeedDrain(): boolean {
    return this.socket.writableNeedDrain;
  }

  writeHead(status: number, message: string | undefined, headers: readonly string[]): this {
    if (this.headersSent) throw new Error("the head is sent");
    const text = message ?? STATUS_CODES[status] ?? "";
    if (!MESSAGE.test(text)) throw new Error("an invalid status message");
    const { lines, framing, hasDate, hasTrailer } = headerLines(headers);
    this.#hasBody = this.req.method !== "HEAD" && status !== 204 && status !== 304;
    this.#isChunked = this.#hasBody && framing !== "length";
    if (hasTrailer && !this.#isChunked) throw new Error("a Trailer header without chunks");
    if (framing === "unknown" || this.#options.isClosing()) this.isLast = true;
    this.headersSent = true;
    let head = `HTTP/1.1 ${status} ${text}\r\n${lines}`;
    if (!hasDate) head += `Date: ${httpDate()}\r\n`;
    head += this.isLast
      ? "Connection: close\r\n"
      : `Connection: keep-alive\r\nKeep-Alive: timeout=${this.#options.keepAliveS}\r\n`;
    if (this.#isChunked && framing === "none") head += "Transfer-Encoding: chunked\r\n";
    this.#head = `${head}\r\n`;
    return this;
  }

  writeContinue(): void {
    this.#write("HTTP/1.1 100 Continue\r\n\r\n");
  }

  writeInformation(status: number, headers: readonly string[]): void {
    const { lines } = headerLines(headers);
    this.#write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines}\r\n`);
  }

  flushHeaders(): void {
    if (this.#head !== "") this.#write(this.#takeHead());
  }

  write(piece: Buffer): boolean {
    this.#send(piece, "");
    return !this.writableNeedDrain;
  }

  addTrailers(trailers: readonly [string, string][]): void {
    for (const [name, value] of trailers) this.#trailers += `${name}: ${value}\r\n`;
  }

  end(piece: Buffer | string = NOTHING, encoding: "latin1" | "utf8" = "utf8"): this {
    if (this.writableEnded) return this;
    this.writableEnded = true;
    const isUtf8 = typeof piece === "string" && encoding === "utf8";
    this.#send(
      isUtf8 ? Buffer.from(piece) : piece,
      this.#isChunked ? `0\r\n${this.#trailers}\r\n` : "",
    );
    if (this.#writing === 0) process.nextTick(() => this.#finish());
    return this;
  }

  on(event: "close" | "drain", listener: () => void): this {
    (event === "close" ? this.#onClose : this.#onDrain).push(listener);
    return this;
  }

  /** It closes only once. */
  once(event: "close" | "drain", listener: () => void): this {
    (event === "close" ? this.#onClose : this.#onceDrained).push(listener);
    return this;
  }

  destroy(): this {
    this.destroyed = true;
    this.socket.destroy();
    return this;
  }

  /** The connection accepts more bytes. */
  drained(): void {
    const once = this.#onceDrained;
    this.#onceDrained = [];
    for (const listener of [...this.#onDrain, ...once]) listener();
  }

  /** The connection has closed. */
  abort(): void {
    if (this.writableFinished) return;
    this.destroyed = true;
    this.#close();
  }

  #send(piece: Buffer | string, end: string): void {
    if (this.destroyed) return;
    const head = this.#takeHead();
    if (!this.#hasBody || piece.length === 0) {
      if (head + end !== "") this.#write(head + end);
      return;
    }
    const before = this.#isChunked ? `${head}${piece.length.toString(16)}\r\n` : head;
    const after = this.#isChunked ? `\r\n${end}` : end;
    if (typeof piece === "string") this.#write(before + piece + after);
    else if (piece.length <= MAX_JOINED_BYTES)
      this.#write(before + piece.toString("latin1") + after);
    else this.#writeParts(before, piece, after);
  }

  #writeParts(...parts: (string | Buffer)[]): void {
    this.socket.cork();
    for (const part of parts) if (part.length > 0) this.#write(part);
    this.socket.uncork();
  }

  #write(piece: string | Buffer): void {
    this.#writing++;
    this.socket.write(piece, "latin1", this.#onWritten);
  }

  #takeHead(): string {
    const head = this.#head;
    this.#head = "";
    return head;
  }

  #finish(): void {
    if (this.destroyed) return;
    this.writableFinished = true;
    this.destroyed = true;
    this.#close();
    this.#options.onSent();
  }

  #close(): void {
    for (const listener of this.#onClose) listener();
  }
}

let second = 0;
let text = "";

/** The Date header. It changes once a second, and making it costs more than the rest of a small head. */
function httpDate(): string {
  const now = Math.floor(systemClock.now() / 1_000);
  if (now !== second) {
    second = now;
    text = new Date(now * 1_000).toUTCString();
  }
  return text;
}
