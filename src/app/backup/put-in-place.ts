// Puts a store that was examined in the place of the one in the data folder. A restore counts once
// its file is there under the name RESTORED; from then on whoever takes the folder next carries it
// out to the end, so a kill at any instant leaves the old store or the new one, each with its own log.

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import path from "node:path";

export const STORE = "freehold.db";
export const RESTORED = "freehold.db.restored";
/** A store that went to PostgreSQL, so that nobody goes on with it here by mistake. */
export const MOVED = "freehold.db.moved";
const REPLACED = "freehold.db.replaced";

/** SQLite's files of one store; the log before what it belongs to. */
const PARTS = ["-wal", "-shm", ""];

/** The folder must be locked. Does nothing where no restore waits. */
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

/** Makes a change of names durable, where the system can. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
