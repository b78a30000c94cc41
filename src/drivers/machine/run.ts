// A function that runs a program on a machine, and its implementation for this machine.

import { type ChildProcess, execFile } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { MIB } from "../../base/units.ts";

/**
 * Resolves to its output; rejects with a RunError if it does not exist (code ENOENT) or ends with another code than 0.
 * Once `stopped` is aborted, the program gets SIGTERM.
 */
export type Run = (
  program: string,
  args: readonly string[],
  input?: string,
  stopped?: AbortSignal,
) => Promise<string>;

export interface RunError extends Error {
  code?: unknown;
  /** The output that the program printed before. */
  stdout?: string;
  /** True if it was ended because it took too long. */
  killed?: boolean;
}

/** A program may hang, for example on a faulty GPU driver. */
const TIMEOUT_MS = 20_000;

const MAX_OUTPUT_BYTES = 16 * MIB;

/** Runs programs on this machine; `env` replaces the service's environment, PATH included. */
export function runLocally(env?: Record<string, string | undefined>, timeoutMs = TIMEOUT_MS): Run {
  return (program, args, input = "", stopped) =>
    new Promise((resolve, reject) => {
      if (env && isMissing(program, env)) return reject(missing(program));
      const options = {
        timeout: timeoutMs,
        killSignal: "SIGKILL" as const,
        maxBuffer: MAX_OUTPUT_BYTES,
        ...(env && { env }),
      };
      const child = execFile(program, args, options, (error, stdout) => {
        stopped?.removeEventListener("abort", stop);
        if (!error) return resolve(stdout);
        reject(Object.assign(error, { stdout }));
      });
      const stop = () => endGroup(child);
      stopped?.addEventListener("abort", stop);
      if (stopped?.aborted) stop();
      child.stdin?.on("error", () => {});
      child.stdin?.end(input);
    });
}

/**
 * `timeout` leads a group of its own, which has its program too: in the moment after it started one, it ends on a signal
 * without passing it on.
 */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGTERM");
  } catch {
    child.kill("SIGTERM");
  }
}

/**
 * Whether no folder of the PATH has it. To start a process only to learn this takes a service 50 ms, and a folder that this
 * user may not search gives EACCES.
 */
function isMissing(program: string, { PATH }: Record<string, string | undefined>): boolean {
  if (process.platform === "win32" || !PATH || program.includes("/")) return false;
  return !PATH.split(path.delimiter).some((folder) => existsSync(path.join(folder, program)));
}

const missing = (program: string) =>
  Object.assign(new Error(`spawn ${program} ENOENT`), { code: "ENOENT", stdout: "" });
