// The bookkeeping of chunks: what was given back by the last one, how far the bytes received and the
// bytes kept have come, and the body that results.

import { Body } from "./body.ts";
import { Rewrite } from "./non-finite.ts";

export class Intake {
  readonly body = new Body();
  /** Where the chunk at hand begins: among the bytes received, and among those kept. */
  received = 0;
  kept = 0;
  /** From where on the chunk at hand is to be read again, in front of the next one; -1 for none. */
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

  /** Keeps null in place of a stretch of the chunk; calls come in the order of the stretches. */
  nullify(chunk: Buffer, start: number, end: number): void {
    this.#rewrite ??= new Rewrite(chunk);
    this.kept += this.#rewrite.toNull(start, end);
  }

  close(chunk: Buffer): void {
    let kept = chunk;
    if (this.holdFrom >= 0) {
      this.#held = chunk.subarray(this.holdFrom);
      kept = chunk.subarray(0, this.holdFrom);
      this.holdFrom = -1;
    }
    this.received += kept.length;
    this.kept += kept.length;
    if (this.#rewrite !== undefined) {
      kept = this.#rewrite.finish(kept.length);
      this.#rewrite = undefined;
    }
    this.body.push(kept);
  }
}
