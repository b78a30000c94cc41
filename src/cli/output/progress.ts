// What a person sees while a command waits for longer than a second: one line on the error output of a
// terminal. Programs see nothing. The keyboard is left alone, so that Ctrl-C is a signal as always.

import { systemClock, systemTicks } from "../../base/clock.ts";
import { durationText } from "../../domain/duration.ts";
import type { Printing } from "./answer.ts";

const SHOWN_AFTER_MS = 1_000;
const REDRAW_MS = 100;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** Runs `work` and removes the line at its end. `work` may replace the text. */
export async function withProgress<Result>(
  text: string,
  { json, quiet }: Printing,
  work: (say: (text: string) => void) => Promise<Result>,
): Promise<Result> {
  if (json || quiet || !process.stderr.isTTY) return work(() => {});
  const line = new ProgressLine(text, process.stderr);
  try {
    return await work((next) => line.say(next));
  } finally {
    line.end();
  }
}

class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  readonly #startedAt = systemTicks();
  #text: string;
  #frame = 0;
  #cancel: () => void;

  constructor(text: string, stream: NodeJS.WriteStream) {
    this.#text = text;
    this.#stream = stream;
    this.#cancel = systemClock.after(SHOWN_AFTER_MS, () => this.#draw());
  }

  say(text: string): void {
    this.#text = text;
  }

  end(): void {
    this.#cancel();
    if (this.#frame > 0) this.#stream.write("\r\x1b[2K");
  }

  #draw(): void {
    const time = durationText(Math.floor((systemTicks() - this.#startedAt) / 1_000) * 1_000);
    const frame = FRAMES[this.#frame++ % FRAMES.length];
    const text = `${frame} ${this.#text}  ${time}`.slice(0, (this.#stream.columns ?? 80) - 1);
    this.#stream.write(`\r\x1b[2K${text}`);
    this.#cancel = systemClock.after(REDRAW_MS, () => this.#draw());
  }
}

const CELLS = 20;

/** "█████░░░░░░░░░░░░░░░ 1200 of 4800" */
export function progressBar({ done, total }: { done: number; total?: number }): string {
  if (total === undefined) return "counting";
  const full = Math.round((CELLS * done) / Math.max(total, 1));
  return `${"█".repeat(Math.min(full, CELLS)).padEnd(CELLS, "░")} ${done} of ${total}`;
}
