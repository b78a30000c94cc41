// One command in a simulated Pod, from its first byte of input to its exit code: a script, or a shell that reads
// scripts from its input or from a terminal.

import { yieldToEventLoop } from "../../../../base/clock.ts";
import type { ExecRequest } from "../../../driver.ts";
import { CommandInput, InputTooLong } from "./command-input.ts";
import { kindOf } from "./command-kind.ts";
import { readsInput } from "./input-need.ts";
import { LineEditor } from "./line-editor.ts";
import type { OutputWindow } from "./output-window.ts";
import { MAX_SCRIPT_CHARS, ScriptReader } from "./script-reader.ts";
import type { ShellSession } from "./session.ts";

const INTERRUPT = "\x03";
const BELL = "\x07";

export interface CommandDeps {
  output: OutputWindow;
  hostname: string;
}

export class ShellCommand {
  readonly #deps: CommandDeps;
  readonly #isTerminal: boolean;
  readonly #request: ExecRequest;
  readonly #editor: LineEditor;
  readonly #input: CommandInput;
  /** Set when it runs. */
  #session: ShellSession | null = null;
  readonly #end = new AbortController();
  /** Aborts the script that runs now. */
  #script: AbortController | null = null;

  constructor(deps: CommandDeps, request: ExecRequest) {
    this.#deps = deps;
    this.#request = request;
    this.#isTerminal = request.tty !== null;
    this.#input = new CommandInput(this.#isTerminal);
    this.#editor = new LineEditor((text) => deps.output.send("stdout", Buffer.from(text)));
  }

  async run(session: ShellSession): Promise<number> {
    this.#session = session;
    const kind = kindOf(this.#request.command);
    try {
      const exitCode = kind.kind === "shell" ? await this.#shell() : await this.#once(kind);
      const trap = session.takeExitTrap();
      if (trap !== null) await this.#execute(trap, trap);
      return exitCode;
    } catch (error) {
      if (!(error instanceof InputTooLong)) throw error;
      this.#print(Buffer.from(`bash: ${error.message}\n`), "stderr");
      return 1;
    }
  }

  /** Resolves once there is room for more input. */
  async write(bytes: Uint8Array): Promise<void> {
    if (!this.#isTerminal) return this.#input.write(bytes);
    for (const key of this.#editor.read(bytes)) {
      if (key.kind === "end") this.#input.end();
      else if (key.kind === "interrupt") this.#interrupt();
      else if (!this.#input.type(key.text)) this.#deps.output.send("stdout", Buffer.from(BELL));
    }
    // What is typed is echoed.
    await this.#deps.output.room();
  }

  endInput(): void {
    this.#input.end();
  }

  end(): void {
    this.#end.abort();
    this.#input.close();
  }

  #interrupt(): void {
    this.#input.clear();
    if (this.#script) this.#script.abort();
    else this.#input.type(INTERRUPT);
  }

  async #once({ script, reads }: { script: string; reads: string }): Promise<number> {
    return (await this.#execute(script, reads)).exitCode;
  }

  /** Runs each script as soon as it is complete. */
  async #shell(): Promise<number> {
    const scripts = new ScriptReader((script) => this.#session!.parse(script));
    for (;;) {
      if (this.#isTerminal) this.#editor.prompt(scripts.isEmpty ? this.#prompt() : "> ");
      const line = await this.#input.nextLine();
      if (line === INTERRUPT) {
        scripts.end();
        continue;
      }
      if (line === null && scripts.isEmpty) break;
      if (scripts.isEmpty && /^\s*(?:#.*)?$/.test(line!)) continue;
      const script = line === null ? scripts.end() : this.#add(scripts, line);
      if (script === null) continue;
      const { hasExited, exitCode } = await this.#execute(script, script);
      if (hasExited || this.#end.signal.aborted) return exitCode;
      if (line === null) break;
      // Other shells share the thread.
      await yieldToEventLoop();
    }
    if (this.#isTerminal) this.#deps.output.send("stdout", Buffer.from("exit\r\n"));
    return this.#session!.exitCode;
  }

  /** Null until the script is complete. */
  #add(scripts: ScriptReader, line: string): string | null {
    const complete = scripts.add(line, this.#input.hasLines);
    if (!complete && scripts.isTooLong) {
      throw new InputTooLong(`a command has more than ${MAX_SCRIPT_CHARS} characters`);
    }
    this.#input.putBack(complete?.rest ?? []);
    return complete?.script ?? null;
  }

  async #execute(script: string, reads: string) {
    const stopped = new AbortController();
    this.#script = stopped;
    // A client that has left waits for no trap.
    const signal = AbortSignal.any([stopped.signal, this.#end.signal]);
    try {
      await this.#deps.output.room();
      const stdin = readsInput(reads) ? await this.#input.all(signal) : Buffer.alloc(0);
      const result = await this.#session!.run(script, stdin, signal);
      this.#print(result.stdout, "stdout");
      if (!signal.aborted) this.#print(result.stderr, "stderr");
      return result;
    } finally {
      this.#script = null;
    }
  }

  #print(bytes: Buffer, output: "stdout" | "stderr"): void {
    if (bytes.length === 0) return;
    if (!this.#isTerminal) this.#deps.output.send(output, bytes);
    else
      this.#deps.output.send(
        "stdout",
        Buffer.from(withReturns(bytes.toString("latin1")), "latin1"),
      );
  }

  #prompt(): string {
    const { hostname } = this.#deps;
    const folder = this.#session!.folder.replace(/^\/root(?=\/|$)/, "~");
    return `root@${hostname}:${folder}# `;
  }
}

const withReturns = (text: string) => text.replaceAll("\n", "\r\n");
