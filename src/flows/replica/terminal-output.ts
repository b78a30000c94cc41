// The output of a terminal, with lines of the service between what its command writes.

import type { Execution } from "../../drivers/driver.ts";

type Output = Execution["output"];

export class TerminalOutput {
  readonly output: Output;
  /** The newest line that was not read yet. */
  #line: string | null = null;
  #wake: () => void = () => {};

  /** It is one of the `open` ones while its output is read. */
  constructor(output: Output, open: Set<TerminalOutput>) {
    this.output = this.#read(output, open);
  }

  say(line: string): void {
    this.#line = `\r\n*** ${line.replace(/\p{Cc}/gu, " ")}\r\n`;
    this.#wake();
  }

  async *#read(output: Output, open: Set<TerminalOutput>) {
    const source = output[Symbol.asyncIterator]();
    let next = source.next();
    open.add(this);
    try {
      for (;;) {
        const isPiece = await this.#first(next);
        if (isPiece) {
          const piece = await next;
          if (piece.done) return;
          yield piece.value;
          next = source.next();
        }
        const line = this.#line;
        this.#line = null;
        if (line !== null) yield { output: "stdout" as const, bytes: Buffer.from(line) };
      }
    } finally {
      open.delete(this);
      // A command that writes nothing more would keep its reader.
      void source.return?.().catch(() => {});
    }
  }

  /** True once the command's next piece is there, or its error; false once a line is, if that is first. */
  #first(next: Promise<unknown>): Promise<boolean> {
    return new Promise((resolve) => {
      this.#wake = () => resolve(false);
      next.then(
        () => resolve(true),
        () => resolve(true),
      );
      if (this.#line !== null) resolve(false);
    });
  }
}
