// Bounds the bytes of large bodies that are being read at the same time.

/** Smaller bodies are not counted: they cannot fill the memory before they are answered. */
const COUNTED_FROM_BYTES = 64 * 1024;

export class BodiesInFlight {
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Makes room for a body; null if there is none. The function returned gives the room back. */
  admit(bytes: number): (() => void) | null {
    if (bytes < COUNTED_FROM_BYTES) return () => {};
    if (this.#bytes + bytes > this.#mostBytes) return null;
    this.#bytes += bytes;
    let held = true;
    return () => {
      if (held) this.#bytes -= bytes;
      held = false;
    };
  }
}
