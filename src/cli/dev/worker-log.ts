// The output of one worker, passed on line by line. The output of a worker that may only repeat an
// earlier crash is buffered first.

import { LogFile } from "./log-file.ts";
import { type PrintLines, short } from "./print-lines.ts";

export class DevWorkerLog {
  readonly #file: LogFile;
  readonly #print: (line: string) => void;
  #buffered: string[] | null;

  constructor(path: string, workerId: string, options: { print: PrintLines; buffer: boolean }) {
    this.#file = new LogFile(path);
    this.#print = (line) => options.print(short(workerId), logLine(line));
    this.#buffered = options.buffer ? [] : null;
  }

  get isBuffering(): boolean {
    return this.#buffered !== null;
  }

  /** Skips the existing lines. */
  skip(): void {
    this.#file.read();
  }

  /** Passes on new lines. */
  read(): void {
    this.#add(this.#file.read());
  }

  /** Passes on the buffered lines and stops buffering. */
  release(): void {
    const buffered = this.#buffered ?? [];
    this.#buffered = null;
    for (const line of buffered) this.#print(line);
  }

  /** Passes on the last lines, unless output is buffered; buffered lines are dropped. */
  end(): void {
    this.#add(this.#file.read(true));
    this.#buffered = null;
  }

  #add(lines: string[]): void {
    for (const line of lines) {
      if (this.#buffered) this.#buffered.push(line);
      else this.#print(line);
    }
  }
}

/**
 * Formats a worker's log line for a terminal. Workers write JSON objects for log collectors; people want the
 * message. Returns the line itself, or level, job and message if it is such an object.
 */
export function logLine(text: string): string {
  if (!text.startsWith("{")) return text;
  try {
    const { level, message, requestId } = JSON.parse(text) as Record<string, unknown>;
    if (typeof message !== "string" || typeof level !== "string") return text;
    const job = typeof requestId === "string" ? `${requestId}  ` : "";
    return `${level.padEnd(5)} ${job}${message}`;
  } catch {
    return text;
  }
}
