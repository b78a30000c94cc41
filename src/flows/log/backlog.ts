// The bounded queue of lines for a reader that follows a log. A reader that is slower than the log
// loses the oldest lines and gets their number.

import type { LoggedLine } from "./read.ts";

const MAX_LINES = 5_000;
const MAX_CHARACTERS = 1_048_576;

/** Marks a gap: the number of missing lines. */
export interface LostLines {
  type: "lost";
  count: number;
}

export class Backlog {
  #lines: LoggedLine[] = [];
  /** Index of the first line still queued; earlier ones are dropped in bulk. */
  #first = 0;
  #text = 0;
  #lost = 0;
  #ended = false;
  #wake: () => void = () => {};

  add(lines: readonly LoggedLine[]): void {
    for (const line of lines) {
      this.#lines.push(line);
      this.#text += line.text.length;
    }
    while (this.#waiting > MAX_LINES || (this.#text > MAX_CHARACTERS && this.#waiting > 1)) {
      this.#text -= this.#lines[this.#first]!.text.length;
      this.#first++;
      this.#lost++;
    }
    if (this.#first > this.#lines.length / 2) {
      this.#lines = this.#lines.slice(this.#first);
      this.#first = 0;
    }
    this.#wake();
  }

  /** Ends the queue. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Waits for lines and returns all of them; null at the end. Only for one reader. */
  async take(): Promise<(LoggedLine | LostLines)[] | null> {
    while (this.#waiting === 0) {
      if (this.#ended) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const lines = this.#lines.slice(this.#first);
    const lost: LostLines[] = this.#lost > 0 ? [{ type: "lost", count: this.#lost }] : [];
    this.#lines = [];
    this.#first = 0;
    this.#text = 0;
    this.#lost = 0;
    return [...lost, ...lines];
  }

  get #waiting(): number {
    return this.#lines.length - this.#first;
  }
}
