// The chunked transfer coding of a response (RFC 9112, 7.1), decoded piece by piece.

import { parseFields } from "../../http/plain/header-fields.ts";

/** The longest line of a size with its extensions, and the longest trailer section. */
const MAX_LINE_BYTES = 4_096;
const MAX_TRAILER_BYTES = 16_384;

const SIZE = /^([\dA-Fa-f]{1,12})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?\r\n$/;

export class ChunkedBody {
  /** Null until the last chunk and the trailers have come. */
  trailers: string[] | null = null;
  /** Whether it broke the rules of the coding. */
  isMalformed = false;
  /** What a piece had after the end of the body. */
  hasMore = false;
  #expects: "size" | "data" | "data end" | "trailers" = "size";
  #line = "";
  #trailerText = "";
  /** Bytes of the current chunk that have not come. */
  #left = 0;

  /** Passes the data of the next piece on, without copying it. */
  decode(piece: Buffer, onData: (data: Buffer) => void): void {
    let at = 0;
    while (at < piece.length) {
      if (this.isMalformed) return;
      if (this.trailers !== null) {
        this.hasMore = true;
        return;
      }
      at = this.#expects === "data" ? this.#takeData(piece, at, onData) : this.#takeLine(piece, at);
    }
  }

  #takeData(piece: Buffer, start: number, onData: (data: Buffer) => void): number {
    const end = Math.min(piece.length, start + this.#left);
    this.#left -= end - start;
    if (this.#left === 0) this.#expects = "data end";
    onData(piece.subarray(start, end));
    return end;
  }

  #takeLine(piece: Buffer, start: number): number {
    const feed = piece.indexOf(10, start);
    const end = feed === -1 ? piece.length : feed + 1;
    this.#line += piece.toString("latin1", start, end);
    if (this.#line.length > MAX_LINE_BYTES) this.isMalformed = true;
    else if (feed !== -1) {
      const line = this.#line;
      this.#line = "";
      this.#endLine(line);
    }
    return end;
  }

  #endLine(line: string): void {
    if (this.#expects === "size") this.#beginChunk(line);
    else if (this.#expects === "trailers") this.#addTrailer(line);
    else if (line === "\r\n") this.#expects = "size";
    else this.isMalformed = true;
  }

  #beginChunk(line: string): void {
    const match = SIZE.exec(line);
    if (!match) {
      this.isMalformed = true;
      return;
    }
    this.#left = Number.parseInt(match[1]!, 16);
    this.#expects = this.#left > 0 ? "data" : "trailers";
  }

  #addTrailer(line: string): void {
    if (line === "\r\n") {
      this.trailers = parseFields(this.#trailerText);
      this.isMalformed = this.trailers === null;
    } else {
      this.#trailerText += line;
      this.isMalformed = this.#trailerText.length > MAX_TRAILER_BYTES;
    }
  }
}
