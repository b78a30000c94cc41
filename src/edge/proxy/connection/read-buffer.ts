// The buffer that a connection reads into: small while it waits, and large while a large body arrives. A buffer whose
// bytes are not yet sent on is left to what sends them, and replaced.

import { BufferPool } from "../../../base/buffer-pool.ts";

const SMALL_BYTES = 16_384;
/** A large body arrives and leaves in fewer system calls. */
const LARGE_BYTES = 262_144;

const largeBuffers = new BufferPool(LARGE_BYTES, 16);

export class ReadBuffer {
  #buffer: Buffer | null = null;
  #wanted = SMALL_BYTES;

  /** A read that fills the buffer calls for a large one. */
  noteRead(bytes: number): void {
    if (bytes === this.#buffer?.length) this.#wanted = LARGE_BYTES;
  }

  noteEnd(): void {
    this.#wanted = SMALL_BYTES;
  }

  /** The buffer of the next read. `isHeld`: the bytes of the last read are still to be sent. */
  next(isHeld: boolean): Buffer {
    if (this.#buffer !== null && !isHeld) {
      if (this.#buffer.length === this.#wanted) return this.#buffer;
      if (this.#buffer.length === LARGE_BYTES) largeBuffers.release(this.#buffer);
    }
    const isLarge = this.#wanted === LARGE_BYTES;
    this.#buffer = isLarge ? largeBuffers.take() : Buffer.allocUnsafeSlow(SMALL_BYTES);
    return this.#buffer;
  }
}
