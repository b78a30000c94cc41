// A command in the shell thread, as the driver's callers see it.

import type { Execution } from "../../driver.ts";

type Piece = { output: "stdout" | "stderr"; bytes: Buffer };

interface ExecutionDeps {
  write(bytes: Buffer): void;
  endInput(): void;
  resize(cols: number): void;
  /** This much of its output no longer waits: it was read, or there is no reader. */
  release(bytes: number): void;
  end(): void;
}

export class SimulatedExecution implements Execution {
  readonly output: AsyncIterable<Piece>;
  readonly #deps: ExecutionDeps;
  readonly #exit = Promise.withResolvers<number | null>();
  #pieces: Piece[] = [];
  /** Writes that the thread has not taken yet, oldest first. */
  #writes: (() => void)[] = [];
  #hasEnded = false;
  #wake: () => void = () => {};

  constructor(deps: ExecutionDeps) {
    this.#deps = deps;
    this.output = this.#read();
  }

  push(piece: Piece): void {
    if (this.#hasEnded) {
      this.#deps.release(piece.bytes.length);
      return;
    }
    this.#pieces.push(piece);
    this.#wake();
  }

  finish(exitCode: number | null): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#exit.resolve(exitCode);
    for (const resolve of this.#writes) resolve();
    this.#writes = [];
    this.#wake();
  }

  /** The thread has taken the oldest write. */
  take(): void {
    this.#writes.shift()?.();
  }

  write(bytes: Buffer): Promise<void> {
    if (this.#hasEnded) return Promise.resolve();
    this.#deps.write(bytes);
    return new Promise((resolve) => this.#writes.push(resolve));
  }

  endInput(): void {
    if (!this.#hasEnded) this.#deps.endInput();
  }

  async resize(cols: number): Promise<void> {
    if (!this.#hasEnded) this.#deps.resize(cols);
  }

  exitCode(): Promise<number | null> {
    return this.#exit.promise;
  }

  async end(): Promise<void> {
    for (const { bytes } of this.#pieces) this.#deps.release(bytes.length);
    this.#pieces = [];
    if (this.#hasEnded) return;
    this.#deps.end();
    this.finish(null);
  }

  async *#read(): AsyncGenerator<Piece, void> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece) {
        // A reader that waits for a write may come back late.
        this.#deps.release(piece.bytes.length);
        yield piece;
      } else if (this.#hasEnded) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
