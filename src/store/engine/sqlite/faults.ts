// SQLite's errors as callers get them. A full disk is not a programming error.

import { Fault } from "../../../domain/fault.ts";
import { storeUnavailable } from "../unavailable.ts";

/** SQLITE_BUSY, LOCKED, READONLY, IOERR, FULL and CANTOPEN. */
const UNAVAILABLE = new Set([5, 6, 8, 10, 13, 14]);

/** SQLITE_FULL, an input or output error of a write, and one of the index of the log. */
const DISK_FULL = new Set([13, 778, 4874]);

export function isDiskFull(error: unknown): boolean {
  const cause = error instanceof Fault ? error.cause : error;
  return isSqliteError(cause) && DISK_FULL.has(cause.errcode);
}

export function toFault(error: unknown): unknown {
  if (error instanceof Fault || !isSqliteError(error)) return error;
  const primaryCode = error.errcode & 0xff;
  return UNAVAILABLE.has(primaryCode) ? storeUnavailable(error) : error;
}

function isSqliteError(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number";
}
