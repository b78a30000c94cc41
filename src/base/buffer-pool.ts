// Buffers of one size, used again and again. For a new one, the system clears memory page by page, and V8 collects garbage:
// that costs more than all else that a proxy or a download does with the bytes.

import { countBuffer } from "./memory.ts";

export class BufferPool {
  readonly bytes: number;
  readonly #maxSpare: number;
  readonly #spare: Buffer[] = [];

  /** `bytes` is the size of a buffer, and `maxSpare` how many stay when nothing uses them. */
  constructor(bytes: number, maxSpare: number) {
    this.bytes = bytes;
    this.#maxSpare = maxSpare;
  }

  /** It holds what its last user left in it. */
  take(): Buffer {
    const spare = this.#spare.pop();
    if (spare) return spare;
    countBuffer(this.bytes);
    return Buffer.allocUnsafeSlow(this.bytes);
  }

  /** Nothing may use it any more. A buffer that may still be in use is left to the garbage collection. */
  release(buffer: Buffer): void {
    if (this.#spare.length < this.#maxSpare) this.#spare.push(buffer);
  }
}
