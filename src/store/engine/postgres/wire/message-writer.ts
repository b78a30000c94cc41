// A writer of PostgreSQL's protocol messages into one run of bytes. The client library makes a buffer and a
// write of each message.

import type { WireValue } from "./values.ts";

const [PARSE, DESCRIBE, BIND, EXECUTE, SYNC] = [0x50, 0x44, 0x42, 0x45, 0x53] as const;
const STATEMENT = 0x53;
const TEXT = 0;
const BINARY = 1;
/** The most that UTF-8 needs for one UTF-16 code unit. */
const BYTES_PER_UNIT = 3;
/** Up to this length a plain loop is faster than a call into the runtime. */
const SHORT_TEXT = 40;
const INITIAL_BYTES = 1 << 16;
/** A larger buffer is dropped after the batch that needed it. */
const MAX_REUSED_BYTES = 1 << 20;

export class MessageWriter {
  #buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  #end = 0;

  /** Begins a batch. */
  begin(): void {
    this.#end = 0;
    if (this.#buffer.length > MAX_REUSED_BYTES) this.#buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  }

  /** Parses a statement under a name and asks for its columns. */
  prepare(name: string, text: string): void {
    const parse = this.#open(PARSE);
    this.#cString(name);
    this.#cString(text);
    this.#int16(0); // the server infers the parameter types
    this.#close(parse);
    const describe = this.#open(DESCRIBE);
    this.#byte(STATEMENT);
    this.#cString(name);
    this.#close(describe);
  }

  /** Runs a statement that has a name. */
  run(name: string, values: WireValue[]): void {
    const bind = this.#open(BIND);
    this.#byte(0); // the unnamed portal
    this.#cString(name);
    this.#int16(values.length);
    for (const value of values) this.#int16(value instanceof Uint8Array ? BINARY : TEXT);
    this.#int16(values.length);
    for (const value of values) this.#value(value);
    this.#int16(1); // one format for all columns of the result:
    this.#int16(TEXT);
    this.#close(bind);
    const execute = this.#open(EXECUTE);
    this.#byte(0);
    this.#int32(0); // no limit of rows
    this.#close(execute);
  }

  /** Ends the batch and returns a copy of its bytes. */
  end(): Buffer {
    this.#close(this.#open(SYNC));
    return Buffer.from(this.#buffer.subarray(0, this.#end));
  }

  /** Begins a message and returns the position of its length. */
  #open(type: number): number {
    this.#byte(type);
    return this.#advance(4);
  }

  #close(lengthAt: number): void {
    this.#buffer.writeInt32BE(this.#end - lengthAt, lengthAt);
  }

  #value(value: WireValue): void {
    if (value === null) {
      this.#int32(-1);
      return;
    }
    const lengthAt = this.#advance(4);
    if (typeof value === "string") this.#text(value);
    else this.#bytes(value);
    this.#buffer.writeInt32BE(this.#end - lengthAt - 4, lengthAt);
  }

  #cString(text: string): void {
    this.#text(text);
    this.#byte(0);
  }

  #text(text: string): void {
    this.#reserve(text.length * BYTES_PER_UNIT);
    if (text.length > SHORT_TEXT || !this.#writeAscii(text)) {
      this.#end += this.#buffer.write(text, this.#end);
    }
  }

  /** Returns false, with nothing written, if the text is not plain ASCII. */
  #writeAscii(text: string): boolean {
    const [buffer, from] = [this.#buffer, this.#end];
    for (let n = 0; n < text.length; n++) {
      const unit = text.charCodeAt(n);
      if (unit > 0x7f) return false;
      buffer[from + n] = unit;
    }
    this.#end = from + text.length;
    return true;
  }

  // Reserve first, then name the buffer: reserving may replace it.

  #bytes(value: Uint8Array): void {
    const at = this.#advance(value.length);
    this.#buffer.set(value, at);
  }

  #byte(value: number): void {
    const at = this.#advance(1);
    this.#buffer[at] = value;
  }

  #int16(value: number): void {
    const at = this.#advance(2);
    this.#buffer.writeInt16BE(value, at);
  }

  #int32(value: number): void {
    const at = this.#advance(4);
    this.#buffer.writeInt32BE(value, at);
  }

  /** Reserves bytes and moves past them; returns their position. */
  #advance(bytes: number): number {
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
