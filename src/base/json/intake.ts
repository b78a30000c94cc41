// The intake of chunks: the bytes held back from the last chunk, the counts of received and stored
// bytes, and the resulting body.

import { Body } from "./body.ts";
import { Rewrite } from "./non-finite.ts";

export class Intake {
  readonly body = new Body();
  /** The position of the current chunk: among the received bytes, and among the stored ones. */
  receivedBytes = 0;
  storedBytes = 0;
  /** The part of the current chunk from here on is read again before the next chunk; -1 for none. */
  holdFrom = -1;
  #held: Buffer | undefined = undefined;
  #rewrite: Rewrite | undefined = undefined;

  get heldBytes(): number {
    return this.#held === undefined ? 0 : this.#held.length;
  }

  /** The chunk to read when `bytes` arrive. */
  open(bytes: Buffer): Buffer {
    if (this.#held === undefined) return bytes;
    const chunk = Buffer.concat([this.#held, bytes]);
    this.#held = undefined;
    return chunk;
  }

  /** Stores null in place of a span of the chunk; calls come in the order of the spans. */
  nullify(chunk: Buffer, start: number, end: number): void {
    this.#rewrite ??= new Rewrite(chunk);
    this.storedBytes += this.#rewrite.toNull(start, end);
  }

  close(chunk: Buffer): void {
    let storedBytes = chunk;
    if (this.holdFrom >= 0) {
      this.#held = chunk.subarray(this.holdFrom);
      storedBytes = chunk.subarray(0, this.holdFrom);
      this.holdFrom = -1;
    }
    this.receivedBytes += storedBytes.length;
    this.storedBytes += storedBytes.length;
    if (this.#rewrite !== undefined) {
      storedBytes = this.#rewrite.finish(storedBytes.length);
      this.#rewrite = undefined;
    }
    this.body.push(storedBytes);
  }
}
