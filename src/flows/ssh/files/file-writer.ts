// Writes to one file of a container. Little content is written by one command of the shell; more goes through
// a command of its own, which runs as long as the writes follow each other.

import type { ExecRequest, Execution } from "../../pod/exec.ts";
import type { ContainerShell } from "./container-shell.ts";
import { fileErrorFrom } from "./file-error.ts";
import { printBytes, quote } from "./shell-text.ts";

export interface FileWriterDeps {
  shell: ContainerShell;
  run: (request: ExecRequest) => Promise<Execution>;
}

interface WriteStream {
  execution: Execution;
  /** What it prints as it fails. */
  errors: Promise<string>;
  hasEnded: boolean;
}

const MAX_SMALL_BYTES = 16_384;
const MAX_ERROR_CHARS = 10_000;

export class FileWriter {
  readonly #deps: FileWriterDeps;
  readonly #path: string;
  readonly #isAppending: boolean;
  #stream: WriteStream | null = null;
  #small: Buffer[] = [];
  #start = 0;
  #end = 0;

  constructor(deps: FileWriterDeps, path: string, isAppending: boolean) {
    this.#deps = deps;
    this.#path = path;
    this.#isAppending = isAppending;
  }

  async write(offset: number, bytes: Buffer): Promise<void> {
    if (offset !== this.#end && !this.#isAppending) await this.flush();
    if (!this.#stream && this.#small.length === 0) this.#start = this.#end = offset;
    this.#end += bytes.length;
    if (this.#stream) return this.#send(bytes);
    this.#small.push(Buffer.from(bytes));
    if (this.#end - this.#start <= MAX_SMALL_BYTES) return;
    const held = Buffer.concat(this.#small.splice(0));
    await this.#open();
    await this.#send(held);
  }

  /** Rejects with FileError if something was not written. */
  async flush(): Promise<void> {
    if (this.#stream) return this.#finish(this.#stream);
    if (this.#small.length === 0) return;
    const content = Buffer.concat(this.#small.splice(0)).toString("latin1");
    await this.#deps.shell.run(this.#script(printBytes(content)));
  }

  /** Gives up what is not written yet. */
  async abandon(): Promise<void> {
    await this.#stream?.execution.end();
  }

  async #open(): Promise<void> {
    const command = ["sh", "-c", `export LC_ALL=C\n${this.#script("cat")}`];
    const execution = await this.#deps.run({ command, tty: null });
    const stream: WriteStream = { execution, errors: Promise.resolve(""), hasEnded: false };
    stream.errors = readErrors(stream);
    this.#stream = stream;
  }

  /** Runs a command with its output at the place in the file. */
  #script(command: string): string {
    const file = quote(this.#path);
    if (this.#isAppending) return `${command} >> ${file}`;
    if (this.#start === 0) return `${command} 1<> ${file}`;
    const seek = `dd bs=1 seek=${this.#start} count=0 2>/dev/null`;
    return `{ ${seek} && ${command}; } 1<> ${file}`;
  }

  async #send(bytes: Buffer): Promise<void> {
    const stream = this.#stream!;
    await stream.execution.write(bytes);
    if (stream.hasEnded) await this.#finish(stream);
  }

  async #finish({ execution, errors }: WriteStream): Promise<void> {
    this.#stream = null;
    execution.endInput();
    const printed = await errors;
    if ((await execution.exitCode()) !== 0) throw fileErrorFrom(printed);
  }
}

/** Resolves when the command ends. */
async function readErrors(stream: WriteStream): Promise<string> {
  let errors = "";
  try {
    for await (const { bytes } of stream.execution.output) {
      errors = (errors + bytes.toString("latin1")).slice(-MAX_ERROR_CHARS);
    }
  } finally {
    stream.hasEnded = true;
  }
  return errors;
}
