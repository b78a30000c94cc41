// A command that another command runs on the same terminal.

import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { Refusal } from "../../base/refusal.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs the command on this terminal and returns its exit code, 128 + N if signal N ended it. */
export function runChild(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = ({ message }: Error) =>
      reject(new Refusal(`${program} cannot be run: ${message.replace(/^spawn /, "")}`));
    let child: ChildProcess;
    try {
      child = spawn(program, args, { env, stdio: "inherit" });
    } catch (error) {
      fail(error as Error);
      return;
    }
    for (const signal of signals) process.on(signal, () => child.kill(signal));
    child.on("error", fail);
    child.on("exit", (code, signal) =>
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)),
    );
  });
}
