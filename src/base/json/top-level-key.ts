// The top-level key that a scanner is in. It is never matched across two chunks: an incomplete one at the end of a chunk is
// held back, unless it is too long to be in the key table.

import type { Intake } from "./intake.ts";
import type { KeyTable } from "./keys.ts";
import type { Outline } from "./outline.ts";

export class TopLevelKey {
  readonly #keys: KeyTable;
  readonly #intake: Intake;
  readonly #outline: Outline;
  /** Its start in the current chunk; -1 outside a key, and in one that began in an earlier chunk. */
  #from = -1;
  /** Its start among the stored bytes. */
  #start = 0;

  constructor(keys: KeyTable, intake: Intake, outline: Outline) {
    this.#keys = keys;
    this.#intake = intake;
    this.#outline = outline;
  }

  begin(at: number): void {
    this.#from = at;
    this.#start = this.#intake.storedBytes + at;
  }

  /** Reports the key whose closing quote is at `at`. */
  end(chunk: Buffer, at: number): void {
    const key = this.#from >= 0 ? this.#keys.match(chunk, this.#from + 1, at) : undefined;
    this.#from = -1;
    this.#outline.key = key;
    const end = this.#intake.storedBytes + at + 1;
    if (key === undefined) this.#outline.otherKey({ start: this.#start, end });
  }

  /** Ends the chunk; true if it breaks off in the key, which is read again from its start. */
  suspend(chunk: Buffer): boolean {
    if (this.#from < 0) return false;
    const isHeld = chunk.length - this.#from - 1 <= this.#keys.longestBytes;
    if (isHeld) this.#intake.holdFrom = this.#from;
    this.#from = -1;
    return isHeld;
  }
}
