// Programs of a machine, run for what they print or do.

import { execFile } from "node:child_process";

/** Resolves to what it printed; rejects where it is not there (code ENOENT) or ends with another code than 0. */
export type Run = (program: string, args: readonly string[], input?: string) => Promise<string>;

/** One in trouble, as the driver of a GPU can be, may never answer. */
const ANSWER_MS = 20_000;

/** Runs them on this machine; `env` is what they are looked for by. */
export function runHere(env?: Record<string, string | undefined>): Run {
  return (program, args, input = "") =>
    new Promise((resolve, reject) => {
      const how = { timeout: ANSWER_MS, ...(env && { env }) };
      const child = execFile(program, args, how, (error, stdout) => {
        if (error) reject(error);
        else resolve(stdout);
      });
      child.stdin?.on("error", () => {});
      child.stdin?.end(input);
    });
}
