// The permissions of a database's files: only their owner can read them.

import { chmodSync, closeSync, openSync, statSync } from "node:fs";

/** Creates the file if it is missing; SQLite gives its log the same permissions. Returns the name. */
export function ownerOnly(file: string): string {
  closeSync(openSync(file, "a", 0o600));
  for (const each of [file, `${file}-wal`, `${file}-shm`]) {
    const mode = statSync(each, { throwIfNoEntry: false })?.mode ?? 0;
    if (mode & 0o077) chmodSync(each, 0o600);
  }
  return file;
}
