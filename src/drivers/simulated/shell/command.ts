// One command in a simulated Pod, from its first byte of input to its exit code: a script, or a shell that reads
// scripts from its input or from a terminal.

import type { ExecRequest } from "../../driver.ts";
import { kindOf } from "./thread/command-kind.ts";
import { readsInput } from "./thread/input-need.ts";
import { LineEditor } from "./thread/line-editor.ts";
import type { Session } from "./thread/session.ts";

type Send = (output: "stdout" | "stderr", bytes: Buffer) => void;

/** More input than this is not kept. */
const MAX_INPUT_BYTES = 64 * 1_048_576;
const INCOMPLETE =
  /got EOF|unexpected EOF|unexpected end|syntax error near unexpected token `(?:fi|done|esac|\})'/;

export interface CommandDeps {
  send: Send;
  hostname: string;
}

export class Command {
  readonly #deps: CommandDeps;
  readonly #isTerminal: boolean;
  readonly #request: ExecRequest;
  readonly #editor: LineEditor;
  /** Set when it runs. */
  #session: Session | null = null;
  readonly #end = new AbortController();
  /** Aborts the script that runs now. */
  #script: AbortController | null = null;
  #input: Buffer[] = [];
  #inputBytes = 0;
  #hasInputEnded = false;
  #lines: string[] = [];
  #wake: () => void = () => {};

  constructor(deps: CommandDeps, request: ExecRequest) {
    this.#deps = deps;
    this.#request = request;
    this.#isTerminal = request.tty !== null;
    this.#editor = new LineEditor((text) => deps.send("stdout", Buffer.from(text)));
  }

  async run(session: Session): Promise<number> {
    this.#session = session;
    const kind = kindOf(this.#request.command);
    const exitCode = kind.kind === "shell" ? await this.#shell() : await this.#once(kind);
    const trap = session.takeExitTrap();
    if (trap !== null) await this.#execute(trap, trap);
    return exitCode;
  }

  write(bytes: Uint8Array): void {
    if (!this.#isTerminal) {
      this.#inputBytes += bytes.length;
      if (this.#inputBytes > MAX_INPUT_BYTES) this.end();
      else this.#input.push(Buffer.from(bytes));
      this.#wake();
      return;
    }
    for (const key of this.#editor.read(bytes)) {
      if (key.kind === "line") this.#lines.push(key.text);
      else if (key.kind === "end") this.#hasInputEnded = true;
      else this.#interrupt();
      this.#wake();
    }
  }

  endInput(): void {
    this.#hasInputEnded = true;
    this.#wake();
  }

  end(): void {
    this.#end.abort();
    this.#script?.abort();
    this.#wake();
  }

  #interrupt(): void {
    this.#lines = [];
    if (this.#script) this.#script.abort();
    else this.#lines.push("\x03");
  }

  async #once({ script, reads }: { script: string; reads: string }): Promise<number> {
    return (await this.#execute(script, reads)).exitCode;
  }

  /** Runs each script as soon as it is complete. */
  async #shell(): Promise<number> {
    let exitCode = 0;
    let script = "";
    for (;;) {
      if (this.#isTerminal) this.#editor.prompt(script === "" ? this.#prompt() : "> ");
      const line = await this.#nextLine();
      if (line === "\x03") {
        script = "";
        continue;
      }
      if (line === null && script === "") break;
      script += line === null ? "" : `${line}\n`;
      if (line !== null && this.#isIncomplete(script)) continue;
      const result = await this.#execute(script, script);
      script = "";
      exitCode = result.exitCode;
      if (result.hasExited || this.#end.signal.aborted) return exitCode;
      if (line === null) break;
    }
    if (this.#isTerminal) this.#deps.send("stdout", Buffer.from("exit\r\n"));
    return this.#session!.exitCode;
  }

  async #execute(script: string, reads: string) {
    const stopped = new AbortController();
    this.#script = stopped;
    try {
      const isWaiting = readsInput(reads);
      const stdin = isWaiting ? await this.#allInput(stopped.signal) : Buffer.alloc(0);
      const result = await this.#session!.run(script, stdin, stopped.signal);
      this.#print(result.stdout, "stdout");
      if (!stopped.signal.aborted) this.#print(result.stderr, "stderr");
      return result;
    } finally {
      this.#script = null;
    }
  }

  #print(bytes: Buffer, output: "stdout" | "stderr"): void {
    if (bytes.length === 0) return;
    if (!this.#isTerminal) this.#deps.send(output, bytes);
    else this.#deps.send("stdout", Buffer.from(withReturns(bytes.toString("latin1")), "latin1"));
  }

  #prompt(): string {
    const { hostname } = this.#deps;
    const folder = this.#session!.folder.replace(/^\/root(?=\/|$)/, "~");
    return `root@${hostname}:${folder}# `;
  }

  #isIncomplete(script: string): boolean {
    if (/(?:^|[^\\])(?:\\\\)*\\\n$/.test(script)) return true;
    const [, tag] = /<<-?\s*['"]?([\w-]+)['"]?/.exec(script) ?? [];
    if (tag && !new RegExp(`^\\t*${tag}$`, "m").test(script)) return true;
    if (/(?:\||&&)\s*\n$/.test(script)) return true;
    try {
      this.#session!.parse(script);
      return false;
    } catch (error) {
      return INCOMPLETE.test((error as Error).message);
    }
  }

  /** Null at the end of the input. */
  async #nextLine(): Promise<string | null> {
    for (;;) {
      if (this.#end.signal.aborted) return null;
      if (!this.#isTerminal) this.#splitInput();
      const line = this.#lines.shift();
      if (line !== undefined) return line;
      if (this.#hasInputEnded) return null;
      await this.#change();
    }
  }

  /** What a program of the shell reads: of a terminal, until Ctrl-D. */
  async #allInput(signal: AbortSignal): Promise<Buffer> {
    while (!this.#hasInputEnded && !signal.aborted) await this.#change();
    const text = this.#lines.map((line) => `${line}\n`).join("");
    const input = Buffer.concat([Buffer.from(text), ...this.#input]);
    this.#lines = [];
    this.#input = [];
    this.#inputBytes = 0;
    if (this.#isTerminal) this.#hasInputEnded = false;
    return input;
  }

  #splitInput(): void {
    const input = Buffer.concat(this.#input);
    const end = this.#hasInputEnded ? input.length : input.lastIndexOf("\n") + 1;
    if (end === 0) return;
    this.#lines.push(...input.toString("utf8", 0, end).replace(/\n$/, "").split("\n"));
    this.#input = [input.subarray(end)];
    this.#inputBytes = input.length - end;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

const withReturns = (text: string) => text.replaceAll("\n", "\r\n");
