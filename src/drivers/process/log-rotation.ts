// The rotation of a log while its process keeps the file open: the end of the log is copied to
// `log.1` and the file is truncated, so that an appending writer starts again at zero. Lines that are
// written in the instant between the last copied byte and the truncation are lost.

import { ftruncateSync, readSync, writeSync } from "node:fs";
import { type FileHandle, open, rename, stat } from "node:fs/promises";
import { MIB } from "../../base/units.ts";

const CHUNK_BYTES = MIB;

export function rotatedLogPath(logPath: string): string {
  return `${logPath}.1`;
}

/**
 * Rotates the log if it is larger than `maxBytes`, and keeps about that much of it. Returns how many
 * bytes were removed from the file.
 */
export async function rotateLog(logPath: string, maxBytes: number): Promise<number> {
  const size = await sizeOf(logPath);
  if (size <= maxBytes) return 0;
  const temporaryPath = `${rotatedLogPath(logPath)}.new`;
  const [log, older] = [await open(logPath, "r+"), await open(temporaryPath, "w", 0o600)];
  try {
    const copiedBytes = await copy(
      log,
      await startOfLine(log, size - maxBytes),
      older,
      2 * maxBytes,
    );
    await rename(temporaryPath, rotatedLogPath(logPath));
    return truncate(log.fd, copiedBytes, older.fd);
  } finally {
    await Promise.all([log.close(), older.close()]);
  }
}

/** Copies the last lines and truncates synchronously, because a wait in between would lose lines. */
function truncate(log: number, copiedBytes: number, older: number): number {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  const bytesRead = readSync(log, buffer, 0, CHUNK_BYTES, copiedBytes);
  writeSync(older, buffer, 0, bytesRead);
  ftruncateSync(log, 0);
  return copiedBytes + bytesRead;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}

/** The start of the first whole line at or after a position, if one is near. */
async function startOfLine(log: FileHandle, from: number): Promise<number> {
  const { bytesRead, buffer } = await log.read({
    buffer: Buffer.alloc(64 * 1024),
    position: from - 1,
  });
  const lineEnd = buffer.subarray(0, bytesRead).indexOf("\n");
  return lineEnd === -1 ? from : from + lineEnd;
}

/** Copies to the end, or to a limit if the process writes faster than this copies; returns the position. */
async function copy(log: FileHandle, start: number, target: FileHandle, limitBytes: number) {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let at = start;
  while (at - start < limitBytes) {
    const { bytesRead } = await log.read({ buffer, position: at });
    if (bytesRead === 0) break;
    await target.writeFile(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return at;
}
