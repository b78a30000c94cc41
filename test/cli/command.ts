// Runs the command line as a user at a shell does, for tests: in the test's process, which takes a tenth of the time,
// or in a process of its own.

import { type ChildProcess, spawn } from "node:child_process";
import { COMMAND as bin } from "../fixtures/service/command-file.ts";
import { runInProcess } from "./in-process.ts";

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Shell {
  cwd?: string | undefined;
  env?: Record<string, string>;
  /** The text on the standard input. */
  input?: string | undefined;
}

/** Without the FREEHOLD_ variables and the contexts of the user that runs the tests. */
const plainEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(FREEHOLD|RUNPOD|NODE_TEST)/.test(name)),
  ),
  XDG_CONFIG_HOME: "/nowhere",
};

/** They run other programs, replace or lock data, or write from callbacks. */
const OWN_PROCESS = new Set([
  "up",
  "dev",
  "deploy",
  "record",
  "replay",
  "intercept",
  "exec",
  "ssh",
  "service",
  "open",
  "backup",
  "restore",
  "move",
]);

/** Runs a command to its end, in this process if it can. */
export function freehold(args: string[], shell: string | Shell = {}): Promise<Ended> {
  const { cwd, env = {}, input } = typeof shell === "string" ? { cwd: shell } : shell;
  // Node itself reads the variables for colors.
  const setsColors = "FORCE_COLOR" in env || "NO_COLOR" in env;
  const ownsProcess = OWN_PROCESS.has(args[0] ?? "") && !args.includes("--help");
  if (setsColors || ownsProcess) return freeholdProcess(args, { cwd, env, input });
  return runInProcess(args, { cwd, env: { ...plainEnv, ...env }, input });
}

/** Runs a command to its end, in a process of its own. */
export async function freeholdProcess(args: string[], shell: Shell = {}): Promise<Ended> {
  const { cwd, env = {}, input } = shell;
  const child = spawn(process.execPath, [bin, ...args], { env: { ...plainEnv, ...env }, cwd });
  child.stdin.on("error", () => {}).end(input);
  const texts = { stdout: "", stderr: "" };
  child.stdout.on("data", (piece) => (texts.stdout += piece));
  child.stderr.on("data", (piece) => (texts.stderr += piece));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, ...texts };
}

/** Starts a command that runs until it is stopped. */
export function start(
  args: string[],
  cwd?: string,
  env: Record<string, string> = {},
): ChildProcess {
  const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
  return spawn(process.execPath, [bin, ...args], { env: { ...plainEnv, ...env }, cwd, stdio });
}

/** The same on a pseudo terminal, whose keyboard is the child's standard input. */
export function startOnTerminal(args: string[], cwd?: string): ChildProcess {
  const spawnOnTerminal =
    "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
  const python = ["-c", spawnOnTerminal, process.execPath, bin, ...args];
  return spawn("python3", python, { env: plainEnv, cwd });
}
