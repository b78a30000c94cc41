// The body of a request on its way to a connection, with back pressure. Nothing of it is read before a connection is
// there, so that until then the request can go to any.

import type { Duplex } from "node:stream";
import { countBuffer } from "../../../base/memory.ts";
import type { InboundRequest } from "../../http/plain/exchange.ts";

/** Up to this size, the first piece is sent in one write with the head. */
const MAX_JOINED_BYTES = 16_384;

export class RequestBody {
  /** Whether all of it was written. */
  isSent = false;
  readonly #request: InboundRequest;
  readonly #isChunked: boolean;
  #stream: Duplex | null = null;

  constructor(request: InboundRequest) {
    this.#request = request;
    this.#isChunked = request.headers["transfer-encoding"] !== undefined;
    request.pause();
  }

  /** Writes the head with what has come of the body, and then the rest as it comes. */
  send(head: string, stream: Duplex): void {
    const request = this.#request;
    const first: Buffer | null = request.read();
    this.#stream = stream;
    if (first === null || first.length > MAX_JOINED_BYTES) stream.write(head, "latin1");
    else stream.write(head + this.#framed(first.toString("latin1"), first.length), "latin1");
    if (first !== null && first.length > MAX_JOINED_BYTES) this.#write(first);
    request.on("data", (piece) => this.#write(piece));
    request.on("end", () => this.#end());
    stream.on("drain", this.#resume);
    if (!stream.writableNeedDrain) request.resume();
  }

  /** Sends no more of it, and reads the rest, which would precede the next request on the client's connection. */
  drop(): void {
    this.#stream?.off("drain", this.#resume);
    this.#stream = null;
    this.#request.resume();
  }

  readonly #resume = (): void => {
    this.#request.resume();
  };

  #write(piece: Buffer): void {
    const stream = this.#stream;
    if (stream === null) return;
    countBuffer(piece.length);
    if (this.#isChunked) stream.write(sizeLine(piece.length), "latin1");
    const isFull = !stream.write(piece);
    if (this.#isChunked) stream.write("\r\n", "latin1");
    if (isFull) this.#request.pause();
  }

  #framed(text: string, bytes: number): string {
    return this.#isChunked ? `${sizeLine(bytes)}${text}\r\n` : text;
  }

  #end(): void {
    const stream = this.#stream;
    if (stream === null) return;
    stream.off("drain", this.#resume);
    this.#stream = null;
    this.isSent = true;
    if (!this.#isChunked) return;
    const { rawTrailers } = this.#request;
    let end = "0\r\n";
    for (let n = 0; n < rawTrailers.length; n += 2) {
      end += `${rawTrailers[n]}: ${rawTrailers[n + 1]}\r\n`;
    }
    stream.write(`${end}\r\n`, "latin1");
  }
}

const sizeLine = (bytes: number) => `${bytes.toString(16)}\r\n`;
