// A function that runs a program on a machine, and its implementation for this machine.

import { type ExecFileException, execFile } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

/**
 * Resolves to its output; rejects if it does not exist (code ENOENT) or ends with another code than 0. The error has
 * the output that it printed before as `stdout`.
 */
export type Run = (program: string, args: readonly string[], input?: string) => Promise<string>;

/** A program may hang, for example on a faulty GPU driver. */
const TIMEOUT_MS = 20_000;

const MAX_OUTPUT_BYTES = 16 * 1_048_576;

/** Runs programs on this machine; `env` replaces the service's environment, PATH included. */
export function runLocally(env?: Record<string, string | undefined>, timeoutMs = TIMEOUT_MS): Run {
  return (program, args, input = "") =>
    new Promise((resolve, reject) => {
      const options = {
        ...{ timeout: timeoutMs, killSignal: "SIGKILL" as const, maxBuffer: MAX_OUTPUT_BYTES },
        ...(env && { env }),
      };
      const child = execFile(program, args, options, (error, stdout) => {
        if (!error) return resolve(stdout);
        const missing = isMissing(error, program) && { code: "ENOENT" };
        reject(Object.assign(error, { stdout }, missing));
      });
      child.stdin?.on("error", () => {});
      child.stdin?.end(input);
    });

  /** A folder of the PATH that this user may not search gives EACCES for a program that is nowhere. */
  function isMissing({ code }: ExecFileException, program: string): boolean {
    if (env === undefined || code !== "EACCES" || program.includes("/")) return false;
    const folders = (env.PATH ?? "").split(path.delimiter);
    return !folders.some((folder) => existsSync(path.join(folder, program)));
  }
}
