// The data folder: made if need be, readable by its owner alone, and used by one process at a time.

import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { finishRestore } from "./backup/put-in-place.ts";
import { Refusal } from "./refusal.ts";

export interface DataFolder {
  path: string;
  release(): void;
}

/** Holds where the service listens while it runs, for this machine's own commands. */
export const ADDRESS_FILE = "address";

/** Takes the folder for this process. The lock is the operating system's: it dies with us. */
export function takeDataFolder(folder: string): DataFolder {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = new DatabaseSync(path.join(folder, "lock"));
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

function release(folder: string, lock: DatabaseSync): void {
  rmSync(path.join(folder, ADDRESS_FILE), { force: true });
  lock.close();
}

export function leaveAddress({ path: folder }: DataFolder, origin: string): void {
  writeFileSync(path.join(folder, ADDRESS_FILE), `${origin}\n`, { mode: 0o600 });
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 5;
}

/** A secret in a file that only the owner reads; made by `make` the first time. */
export function keptSecret(folder: string, name: string, make: () => string): string {
  const file = path.join(folder, name);
  const kept = contentOf(file);
  if (kept === "") {
    throw new Refusal(`${file} is empty; put back what it held, or remove it to have one made`);
  }
  if (kept !== null) return kept;
  const secret = make();
  // Whole or not at all: a file cut off by a kill or a power loss would be an empty secret.
  writeFileSync(`${file}.new`, `${secret}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return secret;
}

export function dropSecret(folder: string, name: string): void {
  rmSync(path.join(folder, name), { force: true });
}

/** Null where there is no such file. */
function contentOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new Refusal(`${file} cannot be read: ${(error as Error).message}`);
  }
}

export const newSecretKey = () => randomBytes(32).toString("hex");
