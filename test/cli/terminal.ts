// A command that keeps running, with its output as a user in a terminal sees it.

import { type ChildProcess, spawnSync } from "node:child_process";
import type { TestContext } from "node:test";
import { start, startOnTerminal } from "./command.ts";

export interface Terminal {
  /** The complete output so far. */
  text(): string;
  /**
   * Waits for this output after everything that an earlier call waited for. Rejects with the
   * complete output if the command ends first.
   */
  until(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Sends Ctrl-C and returns the exit code. */
  interrupt(): Promise<number | null>;
}

/** The command's output is a pipe, for a command that prints the same on a terminal. */
export function terminal(t: TestContext, args: string[], cwd: string): Terminal {
  const child = start(args, cwd);
  return follow(t, child, () => child.kill("SIGINT"));
}

/** The command's output is a terminal, which Python's standard library opens. */
export function pseudoTerminal(t: TestContext, args: string[], cwd: string): Terminal {
  const child = startOnTerminal(args, cwd);
  child.stdin!.on("error", () => {});
  return follow(t, child, () => child.stdin!.write("\x03"));
}

function follow(t: TestContext, child: ChildProcess, sendInterrupt: () => void): Terminal {
  let text = "";
  let read = 0;
  let look = () => {};
  const heard = (piece: unknown) => {
    text += piece;
    look();
  };
  child.stdout!.on("data", heard);
  child.stderr!.on("data", heard);
  let ended = false;
  const end = new Promise<number | null>((resolve) => {
    child.on("close", (code) => {
      ended = true;
      look();
      resolve(code);
    });
  });
  const interrupt = () => {
    if (!ended) sendInterrupt();
    return end;
  };
  t.after(interrupt);
  return {
    text: () => text,
    interrupt,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        look = () => {
          const match = pattern.exec(text.slice(read));
          if (match) {
            read += match.index + match[0].length;
            look = () => {};
            resolve(match);
          } else if (ended) {
            reject(new Error(`${pattern} was never printed:\n${text}`));
          }
        };
        look();
      }),
  };
}

/** Pastes a line into a shell and parses its output as JSON. */
export function paste(line: string): Record<string, unknown> {
  const { stdout, stderr } = spawnSync("sh", ["-c", line], { encoding: "utf8" });
  try {
    return JSON.parse(stdout) as Record<string, unknown>;
  } catch {
    throw new Error(`${line}\n${stdout}${stderr}`);
  }
}
