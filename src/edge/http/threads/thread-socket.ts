// A connection whose socket belongs to a listener thread, as Node's HTTP server and the plain connections use one.

import { Duplex } from "node:stream";
import { systemClock } from "../../../base/clock.ts";
import { type FrameKind, type FrameWriter, frame } from "./frames.ts";
import { type OpenedConnection, REPORT_BYTES } from "./protocol.ts";

/** A larger piece, or one after so many bytes, waits until those before it are sent. */
const MAX_UNTRACKED = { pieceBytes: 16_384, bytes: 65_536 };

type Done = (error?: Error | null) => void;

export class ThreadSocket extends Duplex {
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  bytesRead = 0;
  readonly #id: number;
  readonly #frames: FrameWriter;
  /** Received bytes that are not reported to the thread. */
  #unreportedBytes = 0;
  /** Bytes that were written without asking when they are sent. */
  #untrackedBytes = 0;
  #afterSent: Done = () => {};
  /** Whether the thread has closed it. */
  #isClosed = false;
  #cancelTimeout: (() => void) | null = null;

  constructor(id: number, connection: OpenedConnection, frames: FrameWriter) {
    super({ allowHalfOpen: true });
    this.#id = id;
    this.#frames = frames;
    this.remoteAddress = connection.remoteAddress;
    this.remotePort = connection.remotePort;
  }

  /** Takes a frame of the thread's. */
  receive(kind: FrameKind, bytes: Buffer): void {
    if (kind === frame.data) this.#receiveData(bytes);
    else if (kind === frame.sent) this.#noteSent();
    else if (kind === frame.end) this.push(null);
    else if (kind === frame.close) {
      this.#isClosed = true;
      this.destroy();
    }
  }

  #receiveData(bytes: Buffer): void {
    this.bytesRead += bytes.length;
    this.#unreportedBytes += bytes.length;
    if (this.push(bytes)) this.#report();
  }

  /** A tracked piece is sent, and so is everything before it. */
  #noteSent(): void {
    this.#untrackedBytes = 0;
    this.#afterSent();
  }

  #report(): void {
    if (this.#unreportedBytes < REPORT_BYTES) return;
    this.#unreportedBytes = 0;
    this.#frames.add(this.#id, frame.taken);
  }

  override _read(): void {
    this.#report();
  }

  /** A small piece is on its way at once, without the steps of a stream. */
  override write(piece: Buffer | string, ...rest: [BufferEncoding?, Done?] | [Done?]): boolean {
    const [encoding, done] = rest;
    if (typeof encoding === "function" || !this.#canSendAtOnce(piece.length))
      return super.write(piece, ...(rest as [BufferEncoding, Done]));
    this.#untrackedBytes += piece.length;
    this.#frames.add(this.#id, frame.data, piece, encoding);
    if (done) process.nextTick(done);
    return true;
  }

  #canSendAtOnce(bytes: number): boolean {
    return (
      bytes <= MAX_UNTRACKED.pieceBytes &&
      this.#untrackedBytes + bytes <= MAX_UNTRACKED.bytes &&
      this.writableLength === 0 &&
      this.writableCorked === 0 &&
      !this.writableEnded
    );
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#afterSent = done;
    this.#frames.add(this.#id, frame.trackedData, piece);
  }

  override _writev(pieces: { chunk: Buffer }[], done: Done): void {
    this._write(Buffer.concat(pieces.map(({ chunk }) => chunk)), "binary", done);
  }

  override _final(done: Done): void {
    this.#frames.add(this.#id, frame.end);
    done();
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#cancelTimeout?.();
    const kind = this.writableFinished ? frame.closeAfterData : frame.close;
    if (!this.#isClosed) this.#frames.add(this.#id, kind);
    done(error);
  }

  /** Closes it once everything is sent, as a socket of Node's does. */
  destroySoon(): void {
    if (!this.writableEnded) this.end();
    if (this.writableFinished) this.destroy();
    else this.once("finish", () => this.destroy());
  }

  /** Node's server sets it between two requests, and clears it with the next one. */
  setTimeout(ms: number): this {
    this.#cancelTimeout?.();
    this.#cancelTimeout = null;
    if (ms > 0 && !this.destroyed)
      this.#cancelTimeout = systemClock.after(ms, () => void this.emit("timeout"));
    return this;
  }

  /** The thread sets it for every socket. */
  setNoDelay(): this {
    return this;
  }

  /** The thread's sockets have the system's settings. */
  setKeepAlive(): this {
    return this;
  }
}
