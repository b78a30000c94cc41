// The refusal of a start for which the disk has no room.

import { statfsSync } from "node:fs";
import path from "node:path";
import { Refusal } from "../base/refusal.ts";

const SQLITE_FULL = 13;
const SQLITE_IO_ERROR = 10;

/** Null for any other error. */
export function fullDiskRefusal(error: unknown, folder: string): Refusal | null {
  if (!isFull(error, folder)) return null;
  return new Refusal(
    `the disk of the data folder ${folder} is full; free some space on it and start again`,
  );
}

function isFull(error: unknown, folder: string): boolean {
  const { code, errcode } = error as NodeJS.ErrnoException & { errcode?: number };
  if (code === "ENOSPC" || code === "EDQUOT") return true;
  if (errcode === undefined) return false;
  // The extended code of SQLite has the kind in its last byte; its shared memory fails with an I/O error.
  const kind = errcode & 0xff;
  return kind === SQLITE_FULL || (kind === SQLITE_IO_ERROR && freeBytes(folder) === 0);
}

/** The folder may not exist yet. */
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? Number.POSITIVE_INFINITY : freeBytes(parent);
  }
}
