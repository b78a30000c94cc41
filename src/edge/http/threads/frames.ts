// Frames: what the main thread and a listener thread send each other about connections. A message holds all frames of
// one pass of the event loop or of its promises, because a message costs much more than a frame.

/** The kinds of frames. A frame belongs to one connection and may carry bytes. */
export const frame = {
  /** The thread has accepted the connection; the bytes are its JSON description. */
  opened: 0,
  /** Bytes that were received, or that are to be sent. */
  data: 1,
  /** The same, whose sending is answered by `sent`. */
  trackedData: 2,
  sent: 3,
  /** The client sends nothing more, or nothing more is to be sent. */
  end: 4,
  /** The connection has closed, or is to be closed at once. */
  close: 5,
  /** The connection is to be closed once everything is sent. */
  closeAfterData: 6,
  /** The main thread has taken what was received; the thread may read on. */
  taken: 7,
} as const;

export type FrameKind = (typeof frame)[keyof typeof frame];
export type FrameListener = (id: number, kind: FrameKind, bytes: Buffer) => void;

/** A byte for the kind, four for the connection, four for the length. */
const HEAD_BYTES = 9;
const FIRST_BYTES = 65_536;
/** A larger buffer is not kept for the next message. */
const MAX_KEPT_BYTES = 1_048_576;

/** Collects frames, and posts them as one message. */
export class FrameWriter {
  readonly #post: (message: ArrayBuffer) => void;
  readonly #schedule: (flush: () => void) => void;
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #bytes = 0;
  readonly #flush = (): void => {
    const message = new ArrayBuffer(this.#bytes);
    this.#buffer.copy(new Uint8Array(message), 0, 0, this.#bytes);
    this.#bytes = 0;
    if (this.#buffer.length > MAX_KEPT_BYTES) this.#buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
    this.#post(message);
  };

  /** The first frame of a message schedules that it is posted. */
  constructor(
    post: (message: ArrayBuffer) => void,
    schedule: (flush: () => void) => void = setImmediate,
  ) {
    this.#post = post;
    this.#schedule = schedule;
  }

  add(id: number, kind: FrameKind, piece: Buffer | string = "", encoding?: BufferEncoding): void {
    if (this.#bytes === 0) this.#schedule(this.#flush);
    const length = typeof piece === "string" ? Buffer.byteLength(piece, encoding) : piece.length;
    const buffer = this.#reserve(HEAD_BYTES + length);
    const start = this.#bytes + HEAD_BYTES;
    buffer[this.#bytes] = kind;
    buffer.writeUInt32LE(id, this.#bytes + 1);
    buffer.writeUInt32LE(length, this.#bytes + 5);
    if (typeof piece === "string") buffer.write(piece, start, encoding);
    else piece.copy(buffer, start);
    this.#bytes = start + length;
  }

  #reserve(bytes: number): Buffer {
    const needed = this.#bytes + bytes;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(2 * needed);
      this.#buffer.copy(larger, 0, 0, this.#bytes);
      this.#buffer = larger;
    }
    return this.#buffer;
  }
}

/** Calls the listener with each frame of a message. The bytes are not copied. */
export function readFrames(message: ArrayBuffer, listener: FrameListener): void {
  const buffer = Buffer.from(message);
  for (let at = 0; at < buffer.length; ) {
    const kind = buffer[at] as FrameKind;
    const id = buffer.readUInt32LE(at + 1);
    const start = at + HEAD_BYTES;
    at = start + buffer.readUInt32LE(at + 5);
    listener(id, kind, buffer.subarray(start, at));
  }
}
