// Follows a growing file: the complete lines added since the last read. A truncated file (the
// driver rotates logs) is read from its start again.

import { closeSync, openSync, readSync, statSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";

const PIECE_BYTES = 64 * 1024;

/** A longer line is printed in pieces. */
const LONGEST_LINE = 16 * 1024;

export class LogFile {
  readonly #path: string;
  #offset = 0;
  #rest = "";
  #decoder = new StringDecoder("utf8");

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Returns the lines completed since the last call; with `all`, also an unterminated last line.
   */
  read(all = false): string[] {
    const text = this.#rest + this.#added();
    const lines = text.split(/\r?\n/);
    this.#rest = lines.pop() ?? "";
    if (this.#rest !== "" && (all || this.#rest.length > LONGEST_LINE)) {
      lines.push(this.#rest);
      this.#rest = "";
    }
    return lines;
  }

  #added(): string {
    const size = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    if (size < this.#offset) this.#offset = 0;
    if (size === this.#offset) return "";
    const file = openSync(this.#path, "r");
    try {
      let text = "";
      const piece = Buffer.alloc(PIECE_BYTES);
      for (;;) {
        const bytes = readSync(file, piece, 0, PIECE_BYTES, this.#offset);
        if (bytes === 0) return text;
        this.#offset += bytes;
        text += this.#decoder.write(piece.subarray(0, bytes));
      }
    } finally {
      closeSync(file);
    }
  }
}
