// A command in the shell thread, as the driver's callers see it.

import type { Execution } from "../../driver.ts";

type Piece = { output: "stdout" | "stderr"; bytes: Buffer };

interface ExecutionDeps {
  write(bytes: Buffer): void;
  endInput(): void;
  resize(cols: number): void;
  end(): void;
}

export class SimulatedExecution implements Execution {
  readonly output: AsyncIterable<Piece>;
  readonly #deps: ExecutionDeps;
  readonly #exit = Promise.withResolvers<number | null>();
  readonly #pieces: Piece[] = [];
  #hasEnded = false;
  #wake: () => void = () => {};

  constructor(deps: ExecutionDeps) {
    this.#deps = deps;
    this.output = this.#read();
  }

  push(piece: Piece): void {
    if (this.#hasEnded) return;
    this.#pieces.push(piece);
    this.#wake();
  }

  finish(exitCode: number | null): void {
    this.#hasEnded = true;
    this.#exit.resolve(exitCode);
    this.#wake();
  }

  async write(bytes: Buffer): Promise<void> {
    if (!this.#hasEnded) this.#deps.write(bytes);
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
    if (this.#hasEnded) return;
    this.#deps.end();
    this.finish(null);
  }

  async *#read(): AsyncGenerator<Piece, void> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece) yield piece;
      else if (this.#hasEnded) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
