// What a batch sends, as one run of bytes: by the client library each message would be a buffer, a
// write and a piece of a system call.

import type { Wire } from "./values.ts";

const [PARSE, DESCRIBE, BIND, EXECUTE, SYNC] = [0x50, 0x44, 0x42, 0x45, 0x53] as const;
const STATEMENT = 0x53;
const TEXT = 0;
const BINARY = 1;
/** UTF-8 has at most so many bytes for a unit of a JavaScript string. */
const BYTES_A_UNIT = 3;
/** Up to this length a plain loop is quicker than a call into the runtime. */
const SHORT = 40;
const USUAL_BYTES = 1 << 16;
/** A larger buffer than this is given back after the batch that needed it. */
const KEPT_BYTES = 1 << 20;

/** Writes messages of PostgreSQL's protocol behind one another. */
export class Outgoing {
  #buffer = Buffer.allocUnsafe(USUAL_BYTES);
  #end = 0;

  /** Begins a batch. */
  begin(): void {
    this.#end = 0;
    if (this.#buffer.length > KEPT_BYTES) this.#buffer = Buffer.allocUnsafe(USUAL_BYTES);
  }

  /** Parses a statement under a name and asks for its columns. */
  prepare(name: string, text: string): void {
    const parse = this.#open(PARSE);
    this.#zeroEnded(name);
    this.#zeroEnded(text);
    this.#int16(0); // the server finds out the types of parameters
    this.#close(parse);
    const describe = this.#open(DESCRIBE);
    this.#byte(STATEMENT);
    this.#zeroEnded(name);
    this.#close(describe);
  }

  /** Runs a statement that has a name. */
  run(name: string, values: Wire[]): void {
    const bind = this.#open(BIND);
    this.#byte(0); // the portal without a name
    this.#zeroEnded(name);
    this.#int16(values.length);
    for (const value of values) this.#int16(value instanceof Uint8Array ? BINARY : TEXT);
    this.#int16(values.length);
    for (const value of values) this.#value(value);
    this.#int16(1); // all columns of a result alike:
    this.#int16(TEXT);
    this.#close(bind);
    const execute = this.#open(EXECUTE);
    this.#byte(0);
    this.#int32(0); // however many rows there are
    this.#close(execute);
  }

  /** Ends the batch; its bytes are the caller's. */
  end(): Buffer {
    this.#close(this.#open(SYNC));
    return Buffer.from(this.#buffer.subarray(0, this.#end));
  }

  /** Begins a message; returns where its length belongs. */
  #open(type: number): number {
    this.#byte(type);
    return this.#skip(4);
  }

  #close(lengthAt: number): void {
    this.#buffer.writeInt32BE(this.#end - lengthAt, lengthAt);
  }

  #value(value: Wire): void {
    if (value === null) {
      this.#int32(-1);
      return;
    }
    const lengthAt = this.#skip(4);
    if (typeof value === "string") this.#text(value);
    else this.#bytes(value);
    this.#buffer.writeInt32BE(this.#end - lengthAt - 4, lengthAt);
  }

  #zeroEnded(text: string): void {
    this.#text(text);
    this.#byte(0);
  }

  #text(text: string): void {
    this.#reserve(text.length * BYTES_A_UNIT);
    if (text.length > SHORT || !this.#wroteAscii(text)) {
      this.#end += this.#buffer.write(text, this.#end);
    }
  }

  /** False, and nothing is written, where the text is not of ASCII alone. */
  #wroteAscii(text: string): boolean {
    const [buffer, from] = [this.#buffer, this.#end];
    for (let n = 0; n < text.length; n++) {
      const unit = text.charCodeAt(n);
      if (unit > 0x7f) return false;
      buffer[from + n] = unit;
    }
    this.#end = from + text.length;
    return true;
  }

  // Room is made before the buffer is named: it may be another one afterwards.

  #bytes(value: Uint8Array): void {
    const at = this.#skip(value.length);
    this.#buffer.set(value, at);
  }

  #byte(value: number): void {
    const at = this.#skip(1);
    this.#buffer[at] = value;
  }

  #int16(value: number): void {
    const at = this.#skip(2);
    this.#buffer.writeInt16BE(value, at);
  }

  #int32(value: number): void {
    const at = this.#skip(4);
    this.#buffer.writeInt32BE(value, at);
  }

  /** Makes room for so many bytes and passes them; returns where they begin. */
  #skip(bytes: number): number {
    this.#reserve(bytes);
    const at = this.#end;
    this.#end += bytes;
    return at;
  }

  #reserve(bytes: number): void {
    const needed = this.#end + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, needed));
    this.#buffer.copy(larger, 0, 0, this.#end);
    this.#buffer = larger;
  }
}
