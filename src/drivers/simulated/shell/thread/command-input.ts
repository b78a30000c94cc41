// The input of a command that has not been used yet: lines that were typed at a terminal, or bytes.

import { MIB } from "../../../../base/units.ts";
import { WINDOW_BYTES } from "../messages.ts";
import { MAX_SCRIPT_CHARS } from "./script-reader.ts";

/** A program of the shell takes its whole input at once. */
const MAX_INPUT_BYTES = 64 * MIB;
const MAX_TYPED_CHARS = 65_536;
/** Smaller pieces are joined up to this size: each has a cost of its own. */
const PIECE_BYTES = 16_384;

export class InputTooLong extends Error {
  override readonly name = "InputTooLong";
}

export class CommandInput {
  readonly #isTerminal: boolean;
  #bytes: Buffer[] = [];
  #byteCount = 0;
  /** The number of bytes up to the end of the last line. */
  #lineEnd = 0;
  #lines: string[] = [];
  /** The next one of `#lines`. */
  #next = 0;
  #lineChars = 0;
  #hasEnded = false;
  #isClosed = false;
  /** Whether a program waits for the end of the input. */
  #takesAll = false;
  #wake: () => void = () => {};
  /** Writes that wait until there is room. */
  #writers: (() => void)[] = [];

  constructor(isTerminal: boolean) {
    this.#isTerminal = isTerminal;
  }

  /** Resolves once there is room for more. */
  write(bytes: Uint8Array): Promise<void> {
    const line = bytes.lastIndexOf(0x0a);
    if (line >= 0) this.#lineEnd = this.#byteCount + line + 1;
    this.#byteCount += bytes.length;
    const last = this.#bytes.at(-1);
    if (last && last.length + bytes.length <= PIECE_BYTES) {
      this.#bytes[this.#bytes.length - 1] = Buffer.concat([last, bytes]);
    } else this.#bytes.push(Buffer.from(bytes));
    this.#wake();
    return new Promise((resolve) => {
      this.#writers.push(resolve);
      this.#admit();
    });
  }

  /** False if too much waits already. */
  type(line: string): boolean {
    if (this.#lineChars + line.length > MAX_TYPED_CHARS) return false;
    this.#lines.push(line);
    this.#lineChars += line.length;
    this.#wake();
    return true;
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  /** Nothing more is read. */
  close(): void {
    this.#isClosed = true;
    this.#drop();
    this.#wake();
  }

  /** Drops what was typed. */
  clear(): void {
    this.#lines = [];
    this.#next = 0;
    this.#lineChars = 0;
  }

  get hasLines(): boolean {
    return this.#next < this.#lines.length || this.#lineEnd > 0;
  }

  /** Null at the end of the input. */
  async nextLine(): Promise<string | null> {
    for (;;) {
      if (this.#isClosed) return null;
      if (this.#next >= this.#lines.length) this.#splitBytes();
      const line = this.#lines[this.#next];
      if (line !== undefined) {
        this.#next++;
        this.#lineChars -= line.length;
        return line;
      }
      if (this.#hasEnded) return null;
      if (this.#byteCount > MAX_SCRIPT_CHARS) throw new InputTooLong("a line is too long");
      await this.#change();
    }
  }

  /** Lines that were read and belong to what comes next. */
  putBack(lines: string[]): void {
    if (lines.length === 0) return;
    this.#lines = lines.concat(this.#lines.slice(this.#next));
    this.#next = 0;
    for (const { length } of lines) this.#lineChars += length;
  }

  /** What a program of the shell reads; of a terminal, until Ctrl-D. */
  async all(signal: AbortSignal): Promise<Buffer> {
    this.#takesAll = true;
    this.#admit();
    const abort = () => this.#wake();
    signal.addEventListener("abort", abort, { once: true });
    try {
      while (!this.#hasEnded && !signal.aborted) {
        if (this.#byteCount > MAX_INPUT_BYTES) {
          throw new InputTooLong(`the input has more than ${MAX_INPUT_BYTES / MIB} MB`);
        }
        await this.#change();
      }
    } finally {
      this.#takesAll = false;
      signal.removeEventListener("abort", abort);
    }
    const text = this.#lines
      .slice(this.#next)
      .map((line) => `${line}\n`)
      .join("");
    const input = Buffer.concat([Buffer.from(text), ...this.#bytes]);
    this.clear();
    this.#drop();
    if (this.#isTerminal) this.#hasEnded = false;
    return input;
  }

  #splitBytes(): void {
    const end = this.#hasEnded ? this.#byteCount : this.#lineEnd;
    if (end === 0) return;
    const input = Buffer.concat(this.#bytes);
    this.#lines = input.toString("utf8", 0, end).replace(/\n$/, "").split("\n");
    this.#next = 0;
    this.#lineChars = end;
    this.#bytes = [Buffer.from(input.subarray(end))];
    this.#byteCount = input.length - end;
    this.#lineEnd = 0;
    this.#admit();
  }

  #drop(): void {
    this.#bytes = [];
    this.#byteCount = 0;
    this.#lineEnd = 0;
    this.#admit();
  }

  #admit(): void {
    const limit = this.#takesAll ? MAX_INPUT_BYTES + 1 : WINDOW_BYTES;
    // A line that is longer than the window needs more of the input.
    const room = this.hasLines ? limit : Math.max(limit, MAX_SCRIPT_CHARS + 1);
    if (!this.#isClosed && this.#byteCount > room) return;
    const writers = this.#writers;
    this.#writers = [];
    for (const resolve of writers) resolve();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
