// The digests of a body: the MD5 that becomes its ETag, and the checksum that its client chose. MD5 takes longer than all else
// that happens to the bytes of a large body, so a thread computes it meanwhile.

import { createHash } from "node:crypto";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { scriptBeside } from "../../base/script-beside.ts";
import { MIB } from "../../base/units.ts";
import { type ChecksumAlgorithm, checksumDigest } from "../../domain/s3/checksum.ts";

export interface Digests {
  md5: Buffer;
  /** Null without an algorithm. */
  checksum: Buffer | null;
}

export interface BodyDigest {
  /** The bytes may change once this returns. */
  update(bytes: Uint8Array): Promise<void>;
  digest(): Promise<Digests>;
  /** Also for a body that failed before its digest. */
  discard(): void;
}

/** What the thread receives for each body. */
export interface DigestRequest {
  port: MessagePort;
  algorithm: ChecksumAlgorithm | null;
}

/** Bytes at the start of a buffer, which comes back as the reply; null asks for the digests. */
export type DigestInput = { buffer: Uint8Array<ArrayBuffer>; length: number } | null;
export type DigestReply =
  | Uint8Array<ArrayBuffer>
  | { md5: Uint8Array; checksum: Uint8Array | null };

/** A smaller body is done before a thread would begin. */
const LARGE_BYTES = MIB;
const BUFFER_BYTES = 256 * 1_024;
const MAX_BUFFERS = 4;

/** `length` is null if the client did not declare it. */
export function digestOf(length: number | null, algorithm: ChecksumAlgorithm | null): BodyDigest {
  const isLarge = length === null || length >= LARGE_BYTES;
  return isLarge ? new DigestInThread(algorithm) : new DigestAtOnce(algorithm);
}

export class DigestAtOnce implements BodyDigest {
  readonly #md5 = createHash("md5");
  readonly #checksum: ReturnType<typeof checksumDigest> | null;

  constructor(algorithm: ChecksumAlgorithm | null) {
    this.#checksum = algorithm && checksumDigest(algorithm);
  }

  async update(bytes: Uint8Array): Promise<void> {
    this.add(bytes);
  }

  add(bytes: Uint8Array): void {
    this.#md5.update(bytes);
    this.#checksum?.update(bytes);
  }

  async digest(): Promise<Digests> {
    return this.end();
  }

  end(): Digests {
    return { md5: this.#md5.digest(), checksum: this.#checksum?.digest() ?? null };
  }

  discard(): void {}
}

class DigestInThread implements BodyDigest {
  readonly #port: MessagePort;
  #filling: Uint8Array<ArrayBuffer> | null = null;
  #filled = 0;
  #buffers = 0;
  readonly #free: Uint8Array<ArrayBuffer>[] = [];
  /** The next reply. */
  #reply = Promise.withResolvers<void>();
  #digests: Digests | null = null;

  constructor(algorithm: ChecksumAlgorithm | null) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on("message", (reply: DigestReply) => this.#receive(reply));
    port1.on("close", () => this.#reply.reject(new Error("the thread for digests has ended")));
    this.#reply.promise.catch(() => {}); // reported to whom waits for it
    thread().postMessage({ port: port2, algorithm } satisfies DigestRequest, [port2]);
  }

  async update(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      this.#filling ??= await this.#takeBuffer();
      const piece = bytes.subarray(at, at + BUFFER_BYTES - this.#filled);
      this.#filling.set(piece, this.#filled);
      this.#filled += piece.length;
      at += piece.length;
      if (this.#filled === BUFFER_BYTES) this.#send(this.#filling);
    }
  }

  async digest(): Promise<Digests> {
    if (this.#filling) this.#send(this.#filling);
    this.#port.postMessage(null satisfies DigestInput);
    while (!this.#digests) await this.#reply.promise;
    return this.#digests;
  }

  discard(): void {
    this.#port.close();
  }

  async #takeBuffer(): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#free.length === 0 && this.#buffers < MAX_BUFFERS) {
      this.#buffers++;
      return new Uint8Array(BUFFER_BYTES);
    }
    while (this.#free.length === 0) await this.#reply.promise;
    return this.#free.pop()!;
  }

  #send(buffer: Uint8Array<ArrayBuffer>): void {
    const input: DigestInput = { buffer, length: this.#filled };
    this.#port.postMessage(input, [buffer.buffer]);
    this.#filling = null;
    this.#filled = 0;
  }

  #receive(reply: DigestReply): void {
    if (reply instanceof Uint8Array) this.#free.push(reply);
    else this.#digests = asBuffers(reply);
    const { resolve } = this.#reply;
    this.#reply = Promise.withResolvers();
    this.#reply.promise.catch(() => {});
    resolve();
  }
}

/** Threads receive a Buffer as a Uint8Array. */
function asBuffers({ md5, checksum }: { md5: Uint8Array; checksum: Uint8Array | null }): Digests {
  return { md5: Buffer.from(md5), checksum: checksum && Buffer.from(checksum) };
}

const script = scriptBeside(import.meta.url, "digest-thread");
let running: Worker | null = null;

/** One for all bodies; it starts with the first large one, and an idle one does not keep the process. */
function thread(): Worker {
  if (running) return running;
  const worker = new Worker(script);
  worker.unref();
  const forget = () => {
    if (running === worker) running = null;
  };
  worker.on("error", forget);
  worker.on("exit", forget);
  running = worker;
  return worker;
}
