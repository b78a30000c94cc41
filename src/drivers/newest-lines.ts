// Keeps the newest lines of a log within bounds while they come in, however many come.

import { type LogLine, MOST_LOG_TEXT } from "./driver.ts";

export class NewestLines {
  readonly #most: number;
  readonly #mostText: number;
  #lines: LogLine[] = [];
  #text = 0;
  /** Lines before this one are dropped; they are let go of in bulk. */
  #first = 0;

  constructor(most: number, mostText = MOST_LOG_TEXT) {
    this.#most = most;
    this.#mostText = mostText;
  }

  add(lines: readonly LogLine[]): void {
    for (const line of lines) {
      this.#lines.push(line);
      this.#text += line.text.length;
    }
    while (this.#lines.length - this.#first > this.#most || this.#text > this.#mostText) {
      if (this.#first === this.#lines.length) break;
      this.#text -= this.#lines[this.#first]!.text.length;
      this.#first++;
    }
    if (this.#first < this.#lines.length / 2) return;
    this.#lines = this.#lines.slice(this.#first);
    this.#first = 0;
  }

  /** The oldest first. */
  all(): LogLine[] {
    return this.#lines.slice(this.#first);
  }
}

/** The newest of some lines within bounds. */
export function newest(lines: readonly LogLine[], most: number): LogLine[] {
  const kept = new NewestLines(most);
  kept.add(lines);
  return kept.all();
}
