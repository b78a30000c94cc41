// Reads one response to a request, from the bytes of its connection as they come.

import { ChunkedBody } from "./chunked-body.ts";
import { parseHead, type ResponseHead } from "./response-head.ts";

/** The limit of Node's parser. */
const MAX_HEAD_BYTES = 16_384;
const NOTHING = Buffer.alloc(0);

/** Pieces are valid only during the call. */
export interface ResponseHandler {
  onInterim(head: ResponseHead): void;
  /** `hasMore`: bytes of the body, or its end, follow at once. */
  onHead(head: ResponseHead, hasMore: boolean): void;
  onData(piece: Buffer): void;
  /** `piece` is the rest of the body, and may be empty. */
  onEnd(piece: Buffer, trailers: readonly string[]): void;
  /** The connection ended too early, or broke the rules of its framing. */
  onFail(): void;
  /** This reader does not accept the head, which begins with these bytes, but Node's parser may. */
  onUnsupported(begun: Buffer): void;
}

export class ResponseReader {
  /** Whether the handler got the end. */
  isOver = false;
  readonly #method: string;
  readonly #handler: ResponseHandler;
  /** The begun head. */
  #begun: Buffer | null = null;
  #head: ResponseHead | null = null;
  /** Bytes of a body with a length that have not come. */
  #left = 0;
  #chunks: ChunkedBody | null = null;
  #hasExcess = false;

  constructor(method: string, handler: ResponseHandler) {
    this.#method = method;
    this.#handler = handler;
  }

  /** Whether the connection can take another request. */
  get leavesOpen(): boolean {
    return this.isOver && this.#head?.isKept === true && !this.#hasExcess;
  }

  read(piece: Buffer): void {
    const rest = this.#head === null ? this.#readHead(piece) : piece;
    if (rest.length > 0 && !this.isOver) this.#readBody(rest);
  }

  /** The connection has ended. `isComplete`: the server ended it. */
  end(isComplete: boolean): void {
    if (this.isOver) return;
    if (isComplete && this.#head?.body === "close") this.#finish(NOTHING, []);
    else if (this.#begun === null) this.#fail();
    else this.#leave(this.#begun);
  }

  /** Returns the bytes after the head. */
  #readHead(piece: Buffer): Buffer {
    let rest = this.#begun === null ? piece : Buffer.concat([this.#begun, piece]);
    this.#begun = null;
    while (rest.length > 0) {
      const end = rest.indexOf("\r\n\r\n");
      if (end === -1 ? !mayBegin(rest) : end > MAX_HEAD_BYTES) break;
      if (end === -1) {
        this.#begun = Buffer.from(rest);
        return NOTHING;
      }
      const head = parseHead(rest.toString("latin1", 0, end + 2), this.#method);
      if (head === null) break;
      rest = rest.subarray(end + 4);
      if (head.status >= 200) {
        this.#begin(head, rest);
        return rest;
      }
      this.#handler.onInterim(head);
    }
    if (rest.length > 0) this.#leave(Buffer.from(rest));
    return NOTHING;
  }

  #begin(head: ResponseHead, rest: Buffer): void {
    this.#head = head;
    this.#handler.onHead(head, head.body === 0 || rest.length > 0);
    if (typeof head.body === "number") this.#left = head.body;
    if (head.body !== 0) return;
    this.#hasExcess = rest.length > 0;
    this.#finish(NOTHING, []);
  }

  #readBody(piece: Buffer): void {
    const { body } = this.#head!;
    if (body === "chunked") this.#readChunks(piece);
    else if (body === "close") this.#handler.onData(piece);
    else this.#readLength(piece);
  }

  #readLength(piece: Buffer): void {
    this.#hasExcess = piece.length > this.#left;
    const own = this.#hasExcess ? piece.subarray(0, this.#left) : piece;
    this.#left -= own.length;
    if (this.#left === 0) this.#finish(own, []);
    else this.#handler.onData(own);
  }

  #readChunks(piece: Buffer): void {
    this.#chunks ??= new ChunkedBody();
    const chunks = this.#chunks;
    chunks.decode(piece, (data) => this.#handler.onData(data));
    this.#hasExcess = chunks.hasMore;
    if (chunks.isMalformed) this.#fail();
    else if (chunks.trailers !== null) this.#finish(NOTHING, chunks.trailers);
  }

  #finish(piece: Buffer, trailers: readonly string[]): void {
    this.isOver = true;
    this.#handler.onEnd(piece, trailers);
  }

  #fail(): void {
    this.isOver = true;
    this.#head = null;
    this.#handler.onFail();
  }

  #leave(begun: Buffer): void {
    this.isOver = true;
    this.#handler.onUnsupported(begun);
  }
}

/** Whether bytes can be the beginning of a head. */
function mayBegin(bytes: Buffer): boolean {
  const protocol = "HTTP/1.";
  return (
    bytes.length <= MAX_HEAD_BYTES &&
    protocol.startsWith(bytes.toString("latin1", 0, protocol.length))
  );
}
