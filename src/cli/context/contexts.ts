// The contexts of `freehold login`: the address and the key of each remote Freehold, in one file that
// only its owner can read.

import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { parseJson } from "../../base/json/parse.ts";
import { exitCodes, Refusal } from "../../base/refusal.ts";
import { nearestWord } from "../../base/text/nearest.ts";

export interface ServiceContext {
  url: string;
  key: string;
}

export interface Contexts {
  /** The name of the context that commands use; null for the Freehold on the data folder. */
  current: string | null;
  contexts: Record<string, ServiceContext>;
}

/** The name of the Freehold on the data folder. It needs no entry in the file. */
export const LOCAL = "local";

type Env = Record<string, string | undefined>;

function contextsFile(env: Env): string {
  const folder = env.XDG_CONFIG_HOME || path.join(homedir(), ".config");
  return path.join(folder, "freehold", "contexts.json");
}

/** Throws Refusal if other users can read the keys, or if the file is damaged. */
export function readContexts(env: Env): Contexts {
  const file = contextsFile(env);
  if (!existsSync(file)) return { current: null, contexts: {} };
  if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0) {
    throw new Refusal(`other users can read the keys in ${file}; run: chmod 600 ${file}`);
  }
  try {
    const { current, contexts } = parseJson(readFileSync(file, "utf8")) as Contexts;
    return { current: current ?? null, contexts: { ...contexts } };
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Replaces the file in one step, so that a crash leaves the old one or the new one. */
export function writeContexts(env: Env, contexts: Contexts): void {
  const file = contextsFile(env);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const staged = `${file}.${process.pid}`;
  writeFileSync(staged, `${JSON.stringify(contexts, null, 2)}\n`, { mode: 0o600 });
  renameSync(staged, file);
}

export function contextNamed({ contexts }: Contexts, name: string): ServiceContext {
  const found = Object.hasOwn(contexts, name) ? contexts[name] : undefined;
  if (found) return found;
  const suggestion = nearestWord(name, Object.keys(contexts));
  const hint = suggestion ? `did you mean ${suggestion}?` : "`freehold context` lists them";
  throw new Refusal(`there is no context "${name}"; ${hint}`, exitCodes.notFound);
}
