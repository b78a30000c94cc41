// Runs the command line inside the test's process. A command sees a `process` of its own: its environment, standard
// streams, signals and exit code; everything else is that of the test.

import { AsyncLocalStorage } from "node:async_hooks";
import { EventEmitter } from "node:events";
import { Readable, Writable } from "node:stream";
import { inspect } from "node:util";
import { main } from "../../src/main.ts";
import type { Ended, Shell } from "./command.ts";

interface CommandProcess {
  env: NodeJS.ProcessEnv;
  /** Commands resolve relative names with it. */
  cwd(): string;
  stdin: Readable;
  stdout: TextStream;
  stderr: TextStream;
  exitCode: number | undefined;
  exit(code?: number): never;
  on(event: string, listener: () => void): void;
  once(event: string, listener: () => void): void;
  off(event: string, listener: () => void): void;
}

/** Ends a command at once, as process.exit does. */
class Exit {}

class TextStream extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

const running = new AsyncLocalStorage<CommandProcess>();

globalThis.process = new Proxy(process, {
  get(target, name) {
    const own = running.getStore();
    return own && name in own
      ? own[name as keyof CommandProcess]
      : Reflect.get(target, name, target);
  },
  set(target, name, value) {
    const own = running.getStore();
    return own && name in own ? Reflect.set(own, name, value) : Reflect.set(target, name, value);
  },
});

export async function runInProcess(
  args: string[],
  shell: Shell & { env: NodeJS.ProcessEnv },
): Promise<Ended> {
  const own = commandProcess(shell);
  await running
    .run(own, () => main(args))
    .catch((error: unknown) => {
      if (error instanceof Exit) return;
      own.stderr.write(inspect(error));
      own.exitCode = 1;
    });
  return { code: own.exitCode ?? 0, stdout: own.stdout.text, stderr: own.stderr.text };
}

function commandProcess({
  cwd = process.cwd(),
  env,
  input,
}: Shell & { env: NodeJS.ProcessEnv }): CommandProcess {
  const signals = new EventEmitter();
  const own: CommandProcess = {
    env,
    cwd: () => cwd,
    stdin: Readable.from(input === undefined ? [] : [Buffer.from(input)]),
    stdout: new TextStream(),
    stderr: new TextStream(),
    exitCode: undefined,
    exit(code) {
      own.exitCode = code ?? own.exitCode;
      throw new Exit();
    },
    on: (event, listener) => void signals.on(event, listener),
    once: (event, listener) => void signals.once(event, listener),
    off: (event, listener) => void signals.off(event, listener),
  };
  return own;
}
