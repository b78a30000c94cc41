// Runs the command line as a user at a shell does, for tests.

import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";

const bin = path.join(import.meta.dirname, "..", "..", "bin", "freehold.mjs");

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Removes the FREEHOLD_ variables of the test run. */
const plainEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(FREEHOLD|RUNPOD|NODE_TEST)/.test(name)),
);

/** Runs a command to its end. */
export async function freehold(args: string[], cwd?: string): Promise<Ended> {
  const child = start(args, cwd);
  const texts = { stdout: "", stderr: "" };
  child.stdout!.on("data", (piece) => (texts.stdout += piece));
  child.stderr!.on("data", (piece) => (texts.stderr += piece));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, ...texts };
}

/** Starts a command that runs until it is stopped. */
export function start(args: string[], cwd?: string): ChildProcess {
  const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
  return spawn(process.execPath, [bin, ...args], { env: plainEnv, cwd, stdio });
}
