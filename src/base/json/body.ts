// The bytes of a body, in the chunks that arrived, and the extraction of unchanged spans.

/** Small chunks are merged, because a body sent byte by byte would cost a hundred times its size. */
const MERGE_CHUNKS = 1024;
const MERGE_BELOW_BYTES = 256 * 1024;

/** The bytes from `start` up to, but not including, `end`. */
export interface TextSpan {
  start: number;
  end: number;
}

/** Text whose bytes may be in many chunks; only the requested part is copied. */
export interface LongText {
  /** In bytes. */
  readonly length: number;
  subarray(start: number, end?: number): Buffer;
}

export class Body {
  readonly #chunks: Buffer[] = [];
  #merged = 0;

  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    if (this.#chunks.length - this.#merged === MERGE_CHUNKS) this.#merge();
  }

  /** The bytes of a span; shared with the chunk, not copied, if one chunk contains them. */
  cut({ start, end }: TextSpan): Buffer {
    const pieces: Buffer[] = [];
    let offset = 0;
    for (const chunk of this.#chunks) {
      const next = offset + chunk.length;
      if (next > start) {
        const piece = chunk.subarray(Math.max(0, start - offset), end - offset);
        if (offset <= start && end <= next) return piece;
        pieces.push(piece);
      }
      if (next >= end) break;
      offset = next;
    }
    return Buffer.concat(pieces);
  }

  /** Frees the memory. Nothing can be cut from the body any more; what was cut remains. */
  drop(): void {
    this.#chunks.length = 0;
    this.#merged = 0;
  }

  /** A view of the same bytes, which copies only the parts that are requested. */
  view({ start, end }: TextSpan): LongText {
    const length = end - start;
    return {
      length,
      subarray: (from, to = length) =>
        this.cut({ start: start + from, end: Math.min(start + to, end) }),
    };
  }

  #merge(): void {
    const fresh = this.#chunks.slice(this.#merged);
    const bytes = fresh.reduce((sum, chunk) => sum + chunk.length, 0);
    if (bytes < MERGE_BELOW_BYTES) {
      // Not from the pool of small buffers, which would keep other buffers of the pool alive.
      const whole = Buffer.allocUnsafeSlow(bytes);
      fresh.reduce((at, chunk) => at + chunk.copy(whole, at), 0);
      this.#chunks.length = this.#merged;
      this.#chunks.push(whole);
    }
    this.#merged = this.#chunks.length;
  }
}
