// Reads lines and byte runs from a stream of chunks.

import { S3Error } from "../../../domain/s3/s3-error.ts";

const MAX_LINE_BYTES = 16_384;
const CRLF = "\r\n";

export class S3BodyReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** A line without its end; null if the stream ended before it. */
  async line(): Promise<string | null> {
    for (;;) {
      const at = this.#rest.indexOf(CRLF);
      if (at >= 0) {
        const text = this.#rest.toString("latin1", 0, at);
        this.#rest = this.#rest.subarray(at + CRLF.length);
        return text;
      }
      if (this.#rest.length > MAX_LINE_BYTES) throw malformed();
      const more = await this.#next();
      if (!more) return null;
      this.#rest = Buffer.concat([this.#rest, more]);
    }
  }

  /** The next `length` bytes, in pieces as they arrive. */
  async *bytes(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0; ) {
      if (this.#rest.length === 0) {
        const more = await this.#next();
        if (!more) throw new S3Error("IncompleteBody");
        this.#rest = more;
        continue;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  /** Whether nothing is left. */
  async isAtEnd(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const more = await this.#next();
      if (!more) return true;
      this.#rest = more;
    }
    return false;
  }

  async #next(): Promise<Buffer | null> {
    const { value, done } = await this.#chunks.next();
    return done ? null : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
}

export function malformed(): S3Error {
  const detail = "The body is not in the aws-chunked form that its headers announce.";
  return new S3Error("InvalidRequest", { detail });
}
