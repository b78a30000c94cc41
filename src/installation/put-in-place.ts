// Replaces the store of a data folder by a verified one. The restore counts once its file has the
// name RESTORED; the next process that locks the folder completes it. So a kill at any instant
// leaves the old store or the new one, each with its own log.

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import path from "node:path";

export const STORE = "freehold.db";
export const RESTORED = "freehold.db.restored";
/**
 * The name of a store that was moved to PostgreSQL, so that no service continues on it by mistake.
 */
export const MOVED = "freehold.db.moved";
const REPLACED = "freehold.db.replaced";

/** SQLite's files of one store; the log precedes the database it belongs to. */
const PARTS = ["-wal", "-shm", ""];

/** Completes a pending restore, if there is one. The folder must be locked. */
export function finishRestore(folder: string): void {
  const named = (name: string) => path.join(folder, name);
  if (existsSync(named(RESTORED))) {
    for (const part of PARTS) {
      if (existsSync(named(STORE + part))) renameSync(named(STORE + part), named(REPLACED + part));
    }
    renameSync(named(RESTORED), named(STORE));
    syncFolder(folder);
  }
  for (const part of PARTS) rmSync(named(REPLACED + part), { force: true });
}

/** Makes a rename durable, where the system supports it. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
