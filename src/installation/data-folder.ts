// The data folder: created on demand, readable by its owner only, and locked by one process at a
// time.

import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Refusal } from "../base/refusal.ts";
import { ownerOnly } from "../store/engine/sqlite/owner-only.ts";
import { finishRestore } from "./put-in-place.ts";

export interface DataFolder {
  path: string;
  release(): void;
}

/** Names the file that holds the listening address while the service runs, for local commands. */
export const ADDRESS_FILE = "address";
/** What other computers reach of the running service, as JSON. */
export const ENTRANCES_FILE = "entrances";

/**
 * Locks the folder for this process. The operating system releases the lock when the process dies.
 */
export function takeDataFolder(folder: string): DataFolder {
  try {
    makeFolder(folder);
    const lock = new DatabaseSync(ownerOnly(path.join(folder, "lock")));
    try {
      lock.exec("pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive;");
    } catch (error) {
      lock.close();
      throw isBusy(error)
        ? new Refusal(`the data folder ${folder} is in use by another Freehold process`)
        : error;
    }
    finishRestore(folder);
    return { path: folder, release: () => release(folder, lock) };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`the data folder ${folder} cannot be used: ${(error as Error).message}`);
  }
}

/**
 * Like mkdir -p. Node's own recursive mkdir never returns if a folder exists and reports ENOENT for
 * what is created in it, as /proc does.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return void mkdirSync(folder, { recursive: true });
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent);
  mkdirSync(folder, { mode: 0o700 });
}

/** True if other users of this machine can read what is in the folder. */
export function isOpenToOthers(folder: string): boolean {
  return process.platform !== "win32" && (statSync(folder).mode & 0o077) !== 0;
}

function release(folder: string, lock: DatabaseSync): void {
  for (const name of [ADDRESS_FILE, ENTRANCES_FILE])
    rmSync(path.join(folder, name), { force: true });
  lock.close();
}

export function leaveAddress({ path: folder }: DataFolder, origin: string): void {
  writeFileSync(path.join(folder, ADDRESS_FILE), `${origin}\n`, { mode: 0o600 });
}

export function leaveEntrances({ path: folder }: DataFolder, entrances: object): void {
  writeFileSync(path.join(folder, ENTRANCES_FILE), JSON.stringify(entrances), { mode: 0o600 });
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 5;
}

/** Reads a secret from a file that only the owner can read; `make` creates it the first time. */
export function keptSecret(folder: string, name: string, make: () => string): string {
  const file = path.join(folder, name);
  const saved = savedText(file);
  if (saved === "") {
    throw new Refusal(
      `${file} is empty; restore its content, or remove the file to create a new key`,
    );
  }
  if (saved !== null) return saved;
  const secret = make();
  writeSecret(file, secret);
  return secret;
}

/** The file appears whole or not at all: a kill or a power cut must not leave an empty secret. */
export function writeSecret(file: string, secret: string): void {
  writeFileSync(`${file}.new`, `${secret}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

export function dropSecret(folder: string, name: string): void {
  rmSync(path.join(folder, name), { force: true });
}

/** Returns null if there is no such file. */
export function savedText(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new Refusal(`${file} cannot be read: ${(error as Error).message}`);
  }
}

export const newSecretKey = () => randomBytes(32).toString("hex");
