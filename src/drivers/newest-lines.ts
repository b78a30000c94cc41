// A bounded buffer of a log's newest lines.

import { type LogLine, MAX_LOG_CHARS } from "./driver.ts";

export class NewestLines {
  readonly #maxLines: number;
  readonly #maxChars: number;
  #lines: LogLine[] = [];
  #text = 0;
  /** The index of the oldest kept line; those before it are removed in bulk. */
  #first = 0;

  constructor(maxLines: number, maxChars = MAX_LOG_CHARS) {
    this.#maxLines = maxLines;
    this.#maxChars = maxChars;
  }

  add(lines: readonly LogLine[]): void {
    for (const line of lines) {
      this.#lines.push(line);
      this.#text += line.text.length;
    }
    while (this.#lines.length - this.#first > this.#maxLines || this.#text > this.#maxChars) {
      if (this.#first === this.#lines.length) break;
      this.#text -= this.#lines[this.#first]!.text.length;
      this.#first++;
    }
    if (this.#first < this.#lines.length / 2) return;
    this.#lines = this.#lines.slice(this.#first);
    this.#first = 0;
  }

  /** Oldest first. */
  all(): LogLine[] {
    return this.#lines.slice(this.#first);
  }
}

/** The newest `maxLines` of some lines, within MAX_LOG_CHARS. */
export function newestLines(lines: readonly LogLine[], maxLines: number): LogLine[] {
  const buffer = new NewestLines(maxLines);
  buffer.add(lines);
  return buffer.all();
}
