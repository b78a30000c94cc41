// What `freehold dev` is to do, made out of its arguments: what runs, where, and what is watched.

import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import path from "node:path";
import { Refusal } from "../refusal.ts";
import { pythonFor } from "./python.ts";

export interface DevWishes {
  /** The handler's file as it was given, or null where only a command was. */
  file: string | null;
  /** What stood behind `--`; empty where nothing did. */
  command: string[];
  name: string | null;
  python: string;
  /** NAME=VALUE, or NAME for the value it has here. */
  env: string[];
  workers: number;
  keep: boolean;
}

export interface DevPlan {
  /** The endpoint's name. */
  name: string;
  /** The same for the same handler in the same folder, so that a leftover is found again. */
  templateName: string;
  command: string[];
  /** The folder that the command runs in. */
  cwd: string;
  env: Record<string, string>;
  /** The folder that is watched, with all below it. */
  watched: string;
  /** The handler's file, absolute; null where only a command was given. */
  file: string | null;
  python: string;
  workers: number;
  keep: boolean;
}

type Env = Record<string, string | undefined>;

/** These say where programs and their parts are found; nothing else of the shell is passed on. */
const HANDED_ON = ["PATH", "VIRTUAL_ENV", "PYTHONPATH", "NODE_PATH", "LD_LIBRARY_PATH"];

export function planFor(wishes: DevWishes, cwd: string, env: Env): DevPlan {
  const { workers, keep, python } = wishes;
  const file = wishes.file === null ? null : existing(path.resolve(cwd, wishes.file));
  const command = wishes.command.length > 0 ? wishes.command : commandFor(file, wishes, cwd);
  const main = file ?? fileAmong(command, cwd);
  const name = wishes.name ?? nameOf(main ?? command[0]!);
  const identity = createHash("sha256")
    .update(JSON.stringify([cwd, main, name]))
    .digest("hex");
  return {
    name,
    templateName: `dev ${name} ${identity.slice(0, 8)}`,
    command,
    cwd,
    env: variables(wishes.env, env),
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

function commandFor(file: string | null, { python }: DevWishes, cwd: string): string[] {
  if (!file) throw new Refusal("dev takes a handler's file, or a command behind --");
  const extension = path.extname(file);
  if (extension === ".py") return [pythonFor(python, file, cwd), file];
  if (/^\.[cm]?[jt]s$/.test(extension)) return [process.execPath, file];
  throw new Refusal(
    `${path.basename(file)} is neither Python nor JavaScript nor TypeScript; ` +
      `say how it is run: freehold dev ${path.basename(file)} -- command`,
  );
}

/** The first word of a command that is a file, such as the script that an interpreter runs. */
function fileAmong(command: string[], cwd: string): string | null {
  const files = command.slice(1).map((word) => path.resolve(cwd, word));
  return files.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile()) ?? null;
}

/** An endpoint's name is at least three letters, digits, dots, dashes and the like. */
function nameOf(file: string): string {
  const name = path.basename(file, path.extname(file)).replace(/[^A-Za-z0-9_.-]+/g, "-");
  return name.length >= 3 ? name : `dev-${name}`;
}

function variables(given: string[], env: Env): Record<string, string> {
  // The SDKs print every poll unless they are told not to.
  const chosen: Record<string, string> = { PYTHONUNBUFFERED: "1", RUNPOD_LOG_LEVEL: "INFO" };
  for (const name of HANDED_ON) if (env[name] !== undefined) chosen[name] = env[name];
  for (const each of given) {
    const [, name = "", value] = /^([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?$/s.exec(each) ?? [];
    if (!name) throw new Refusal(`--env is "${each}"; it takes NAME=VALUE, or NAME`);
    const found = value ?? env[name];
    if (found === undefined) throw new Refusal(`--env ${name}: there is no such variable here`);
    chosen[name] = found;
  }
  return chosen;
}
