// The replacement of NaN, Infinity and -Infinity, which Python's encoder writes and JSON lacks, by null.
// A chunk with such tokens is copied once, with each of them replaced.

const NULL = Buffer.from("null");
/** For fewer bytes a loop is faster than a call of Buffer.copy. */
const SHORT_BYTES = 64;

export class Rewrite {
  readonly #chunk: Buffer;
  readonly #out: Buffer;
  #read = 0;
  #written = 0;

  constructor(chunk: Buffer) {
    this.#chunk = chunk;
    // The worst case is NaN after NaN with one byte in between: three bytes become four.
    this.#out = Buffer.allocUnsafe(chunk.length + Math.ceil((chunk.length + 1) / 4));
  }

  /** Replaces the bytes from `start` up to `end` by null, in order; returns the increase in length. */
  toNull(start: number, end: number): number {
    this.#copyTo(start);
    for (let k = 0; k < NULL.length; k++) this.#out[this.#written++] = NULL[k]!;
    this.#read = end;
    return NULL.length - (end - start);
  }

  /** The chunk up to `end`, rewritten. */
  finish(end: number): Buffer {
    this.#copyTo(end);
    return this.#out.subarray(0, this.#written);
  }

  #copyTo(end: number): void {
    if (end - this.#read < SHORT_BYTES) {
      for (; this.#read < end; this.#read++) this.#out[this.#written++] = this.#chunk[this.#read]!;
      return;
    }
    this.#written += this.#chunk.copy(this.#out, this.#written, this.#read, end);
    this.#read = end;
  }
}
