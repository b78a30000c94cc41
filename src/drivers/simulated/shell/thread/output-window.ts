// The output of one command on its way to the client, which may read more slowly than the command writes.

import { WINDOW_BYTES } from "../messages.ts";

type Send = (output: "stdout" | "stderr", bytes: Buffer) => void;

export class OutputWindow {
  readonly #post: Send;
  #unreadBytes = 0;
  #isClosed = false;
  #waiters: (() => void)[] = [];

  constructor(post: Send) {
    this.#post = post;
  }

  send(output: "stdout" | "stderr", bytes: Buffer): void {
    if (this.#isClosed) return;
    this.#unreadBytes += bytes.length;
    this.#post(output, bytes);
  }

  /** The client has taken this much. */
  release(bytes: number): void {
    this.#unreadBytes -= bytes;
    this.#wake();
  }

  /** Resolves once more may be sent. */
  room(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      this.#wake();
    });
  }

  /** There is no reader any more. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  #wake(): void {
    if (this.#unreadBytes >= WINDOW_BYTES && !this.#isClosed) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }
}
