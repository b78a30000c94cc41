// Keeps a log small while the process goes on writing to the very same open file: its end is copied
// to `log.1` and the file is cut to nothing, after which an appending writer starts again at zero.
// What is written in the instant between the last copied byte and the cut is lost.
import { ftruncateSync, readSync, writeSync } from "node:fs";
import { type FileHandle, open, rename, stat } from "node:fs/promises";

const PIECE_BYTES = 1024 * 1024;

export function olderLog(logPath: string): string {
  return `${logPath}.1`;
}

/**
 * Rotates if the log has grown past `maxBytes`; keeps about that much of the old part. Returns how
 * many bytes the log was cut by.
 */
export async function rotateLog(logPath: string, maxBytes: number): Promise<number> {
  const size = await sizeOf(logPath);
  if (size <= maxBytes) return 0;
  const temporary = `${olderLog(logPath)}.new`;
  const [log, older] = [await open(logPath, "r+"), await open(temporary, "w", 0o600)];
  try {
    const copied = await copy(log, await startOfLine(log, size - maxBytes), older, 2 * maxBytes);
    await rename(temporary, olderLog(logPath));
    return cut(log.fd, copied, older.fd);
  } finally {
    await Promise.all([log.close(), older.close()]);
  }
}

/** What came while we copied, then the cut, in one breath: each wait here would lose lines. */
function cut(log: number, copied: number, older: number): number {
  const buffer = Buffer.alloc(PIECE_BYTES);
  const bytesRead = readSync(log, buffer, 0, PIECE_BYTES, copied);
  writeSync(older, buffer, 0, bytesRead);
  ftruncateSync(log, 0);
  return copied + bytesRead;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}

/** The start of the first whole line at or after a place, if one is near. */
async function startOfLine(log: FileHandle, from: number): Promise<number> {
  const { bytesRead, buffer } = await log.read({
    buffer: Buffer.alloc(64 * 1024),
    position: from - 1,
  });
  const lineEnd = buffer.subarray(0, bytesRead).indexOf("\n");
  return lineEnd === -1 ? from : from + lineEnd;
}

/** Up to the end, or to a limit where somebody writes faster than we can copy; says how far. */
async function copy(log: FileHandle, start: number, target: FileHandle, limitBytes: number) {
  const buffer = Buffer.alloc(PIECE_BYTES);
  let at = start;
  while (at - start < limitBytes) {
    const { bytesRead } = await log.read({ buffer, position: at });
    if (bytesRead === 0) break;
    await target.writeFile(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return at;
}
