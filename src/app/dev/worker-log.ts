// What one worker prints, handed on line by line. A worker that may only repeat the crash of the one
// before is first listened to in silence.

import { LogFile } from "./log-file.ts";
import { logLine } from "./log-line.ts";
import { type Say, short } from "./say.ts";

export class WorkerLog {
  readonly #file: LogFile;
  readonly #say: (line: string) => void;
  #held: string[] | null;

  constructor(path: string, workerId: string, options: { say: Say; silent: boolean }) {
    this.#file = new LogFile(path);
    this.#say = (line) => options.say(short(workerId), logLine(line));
    this.#held = options.silent ? [] : null;
  }

  get silent(): boolean {
    return this.#held !== null;
  }

  /** Passes over what is there already. */
  skip(): void {
    this.#file.read();
  }

  /** Hands on what is new. */
  read(): void {
    this.#hear(this.#file.read());
  }

  /** Hands on all that was held back; from here on there is no silence. */
  speak(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const line of held) this.#say(line);
  }

  /** The last words, or nothing of one that was silent to its end. */
  end(): void {
    this.#hear(this.#file.read(true));
    this.#held = null;
  }

  #hear(lines: string[]): void {
    for (const line of lines) {
      if (this.#held) this.#held.push(line);
      else this.#say(line);
    }
  }
}
