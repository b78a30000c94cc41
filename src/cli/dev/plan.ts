// The plan of `freehold dev`, derived from its arguments: what runs, where, and what is watched.

import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import path from "node:path";
import { Refusal } from "../../base/refusal.ts";
import { scriptBeside } from "../../base/script-beside.ts";
import { pythonFor } from "./python.ts";

export interface DevRequest {
  /** The handler's file as typed, or null if there is only a command. */
  file: string | null;
  /** The words after `--`; empty if there are none. */
  command: string[];
  name: string | null;
  python: string;
  /** NAME=VALUE, or NAME to take its value from the environment. */
  env: string[];
  workers: number;
  keep: boolean;
}

export interface DevPlan {
  /** The endpoint's name. */
  name: string;
  /**
   * Stays the same for one handler in one folder, so that a leftover endpoint is found again.
   */
  templateName: string;
  command: string[];
  /** The working directory of the command. */
  cwd: string;
  env: Record<string, string>;
  /** The watched folder, subfolders included. */
  watched: string;
  /** The handler's file as an absolute path; null if there is only a command. */
  file: string | null;
  python: string;
  workers: number;
  keep: boolean;
}

/** Lets a handler import the worker library without installing it. */
const LIBRARY_HOOK = scriptBeside(import.meta.url, "library-hook").href;

type Env = Record<string, string | undefined>;

/** Variables that locate programs and their libraries; nothing else of the shell is passed on. */
const HANDED_ON = ["PATH", "VIRTUAL_ENV", "PYTHONPATH", "NODE_PATH", "LD_LIBRARY_PATH"];

export function planFor(request: DevRequest, cwd: string, env: Env): DevPlan {
  const { workers, keep, python } = request;
  const file = request.file === null ? null : existing(path.resolve(cwd, request.file));
  const command = request.command.length > 0 ? request.command : commandFor(file, request, cwd);
  const main = file ?? fileAmong(command, cwd);
  const name = request.name ?? nameOf(main ?? command[0]!);
  const identity = createHash("sha256")
    .update(JSON.stringify([cwd, main, name]))
    .digest("hex");
  return {
    name,
    templateName: `dev ${name} ${identity.slice(0, 8)}`,
    command,
    cwd,
    env: variables(request.env, env),
    watched: main ? path.dirname(main) : cwd,
    file: main,
    python,
    workers,
    keep,
  };
}

function existing(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new Refusal(`there is no file ${file}`);
  if (!found.isFile()) throw new Refusal(`${file} is not a file`);
  return file;
}

function commandFor(file: string | null, { python }: DevRequest, cwd: string): string[] {
  if (!file) throw new Refusal("dev takes a handler's file, or a command after --");
  const extension = path.extname(file);
  if (extension === ".py") return [pythonFor(python, file, cwd), file];
  if (/^\.[cm]?[jt]s$/.test(extension)) return [process.execPath, "--import", LIBRARY_HOOK, file];
  throw new Refusal(
    `${path.basename(file)} is neither Python nor JavaScript nor TypeScript; ` +
      `say how it is run: freehold dev ${path.basename(file)} -- command`,
  );
}

/**
 * Finds the first word of a command that is a file, such as the script that an interpreter runs.
 */
function fileAmong(command: string[], cwd: string): string | null {
  const files = command.slice(1).map((word) => path.resolve(cwd, word));
  return files.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile()) ?? null;
}

/** An endpoint's name needs at least three letters, digits, dots or dashes. */
function nameOf(file: string): string {
  const name = path.basename(file, path.extname(file)).replace(/[^A-Za-z0-9_.-]+/g, "-");
  return name.length >= 3 ? name : `dev-${name}`;
}

function variables(assignments: string[], env: Env): Record<string, string> {
  // The SDKs log every poll at their default level.
  const chosen: Record<string, string> = { PYTHONUNBUFFERED: "1", RUNPOD_LOG_LEVEL: "INFO" };
  for (const name of HANDED_ON) if (env[name] !== undefined) chosen[name] = env[name];
  for (const each of assignments) {
    const [, name = "", value] = /^([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?$/s.exec(each) ?? [];
    if (!name) throw new Refusal(`--env is "${each}"; it takes NAME=VALUE, or NAME`);
    const found = value ?? env[name];
    if (found === undefined) throw new Refusal(`--env ${name}: there is no such variable here`);
    chosen[name] = found;
  }
  return chosen;
}
