// A command that keeps running, with its output as a user in a terminal sees it.

import { spawnSync } from "node:child_process";
import type { TestContext } from "node:test";
import { start } from "./command.ts";

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

export function terminal(t: TestContext, args: string[], cwd: string): Terminal {
  const child = start(args, cwd);
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
    child.kill("SIGINT");
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
