// The progress of a copy, as one line that is written over, if the error output is a terminal.

import { systemTicks } from "../../base/clock.ts";
import { bytesText } from "../../base/text/bytes-text.ts";

const REDRAW_MS = 100;

export class TransferProgress {
  readonly #isShown: boolean;
  #total = 0;
  #done = 0;
  #drawnAt = 0;

  constructor(isQuiet: boolean) {
    this.#isShown = !isQuiet && process.stderr.isTTY === true;
  }

  expect(bytes: number): void {
    this.#total += bytes;
  }

  /** Negative if bytes have to be copied again. */
  add(bytes: number, name: string): void {
    this.#done += bytes;
    const now = systemTicks();
    if (!this.#isShown || now - this.#drawnAt < REDRAW_MS) return;
    this.#drawnAt = now;
    const percent = this.#total === 0 ? 100 : Math.floor((100 * this.#done) / this.#total);
    this.#draw(`${percent}%  ${bytesText(this.#done)} of ${bytesText(this.#total)}  ${name}`);
  }

  /** Removes the line. */
  clear(): void {
    if (this.#isShown) this.#draw("");
  }

  #draw(text: string): void {
    const width = (process.stderr.columns ?? 80) - 1;
    process.stderr.write(`\r\x1b[2K${text.slice(0, width)}`);
  }
}
