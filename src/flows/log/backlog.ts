// Lines that are waiting for whoever follows a log. It holds so much and no more: a reader that is
// slower than the log loses the oldest, and is told how many.

import type { LoggedLine } from "./read.ts";

const MOST_LINES = 5_000;
const MOST_TEXT = 1_048_576;

/** How many lines are missing where it stands. */
export interface LostLines {
  type: "lost";
  count: number;
}

export class Backlog {
  #lines: LoggedLine[] = [];
  /** Those before this one were given or lost; they are let go of in bulk. */
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
    while (this.#waiting > MOST_LINES || (this.#text > MOST_TEXT && this.#waiting > 1)) {
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

  /** No more will come. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** All that wait, once there are some; null at the end. For one reader. */
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
