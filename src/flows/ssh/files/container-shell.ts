// A shell in a container that runs one script after the other, for programs instead of people. It needs
// nothing but a POSIX shell. Its token, which nothing else prints, ends the output of a script.

import { randomIds } from "../../../base/ids.ts";
import { MIB } from "../../../base/units.ts";
import type { Execution } from "../../pod/exec.ts";
import { fileErrorFrom } from "./file-error.ts";

/** The most that a script may print. */
const MAX_OUTPUT_BYTES = 32 * MIB;

/** The shell ended, with its container or its connection. */
export class ShellEnded extends Error {
  override readonly name = "ShellEnded";
}

export class ContainerShell {
  /** Separates what a script prints. */
  readonly separator = randomIds.short(32);
  readonly #token = randomIds.short(32);
  readonly #execution: Execution;
  #isRunning = false;
  readonly #output: AsyncIterator<{ output: string; bytes: Buffer }>;

  constructor(execution: Execution) {
    this.#execution = execution;
    this.#output = execution.output[Symbol.asyncIterator]();
  }

  /** `script` defines functions and variables for later scripts. */
  async define(script: string): Promise<void> {
    await this.#write(`exec 3>&1\nexport LC_ALL=C\n${script}\n`);
  }

  /** What a script prints; rejects with FileError if it fails. One at a time. */
  async run(script: string): Promise<Buffer> {
    this.#isRunning = true;
    const end = `printf '%s%s %s%s' ${this.#token} $? "$e" ${this.#token}`;
    await this.#write(`e=$( {\n${script}\n} 2>&1 >&3 </dev/null ); ${end}\n`);
    const printed = await this.#readToEnd();
    this.#isRunning = false;
    const at = printed.indexOf(this.#token);
    const rest = printed.toString(
      "latin1",
      at + this.#token.length,
      printed.length - this.#token.length,
    );
    const [, status, errors] = /^(\d+) (.*)$/s.exec(rest) ?? [];
    if (status !== "0") throw fileErrorFrom(errors ?? "");
    return printed.subarray(0, at);
  }

  /** A shell that runs no script ends by itself, which costs less than ending it. */
  async end(): Promise<void> {
    if (this.#isRunning) return this.#execution.end();
    this.#execution.endInput();
    while (!(await this.#output.next()).done);
  }

  #write(script: string): Promise<void> {
    return this.#execution.write(Buffer.from(script, "latin1"));
  }

  /** Up to the second token, which is the last that a script prints. */
  async #readToEnd(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    for (;;) {
      const { value, done } = await this.#output.next();
      if (done) throw new ShellEnded("The container's shell ended.");
      if (value.output === "stderr") continue;
      chunks.push(value.bytes);
      size += value.bytes.length;
      if (size > MAX_OUTPUT_BYTES) throw new ShellEnded("The container printed too much.");
      const printed = this.#completed(chunks);
      if (printed) return printed;
    }
  }

  #completed(chunks: Buffer[]): Buffer | null {
    const { length } = this.#token;
    if (tailOf(chunks, length) !== this.#token) return null;
    const all = Buffer.concat(chunks);
    return all.indexOf(this.#token) < all.length - length ? all : null;
  }
}

function tailOf(chunks: Buffer[], length: number): string {
  let tail = "";
  for (let at = chunks.length - 1; at >= 0 && tail.length < length; at--) {
    tail = chunks[at]!.toString("latin1", Math.max(0, chunks[at]!.length - length)) + tail;
  }
  return tail.slice(-length);
}
