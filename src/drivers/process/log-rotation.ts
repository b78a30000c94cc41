// Keeps a log small while the process goes on writing to the very same open file: its end is copied
// to `log.1` and the file is cut to nothing, after which an appending writer starts again at zero.
// What is written between the last copied byte and the cut is lost; that is a few microseconds.
import { type FileHandle, open, rename, stat } from "node:fs/promises";

const PIECE_BYTES = 1024 * 1024;

export function olderLog(logPath: string): string {
  return `${logPath}.1`;
}

/** Rotates if the log has grown past `maxBytes`; keeps at most that much of the old part. */
export async function rotateLog(logPath: string, maxBytes: number): Promise<boolean> {
  const size = await sizeOf(logPath);
  if (size <= maxBytes) return false;
  const temporary = `${olderLog(logPath)}.new`;
  const [log, older] = [await open(logPath, "r+"), await open(temporary, "w", 0o600)];
  try {
    await copyFrom(log, await startOfLine(log, size - maxBytes), older, 2 * maxBytes);
    await rename(temporary, olderLog(logPath));
    await log.truncate(0);
  } finally {
    await Promise.all([log.close(), older.close()]);
  }
  return true;
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

/** Up to the end, or to a limit where somebody writes faster than we can copy. */
async function copyFrom(log: FileHandle, start: number, target: FileHandle, limitBytes: number) {
  const buffer = Buffer.alloc(PIECE_BYTES);
  for (let at = start; at - start < limitBytes; ) {
    const { bytesRead } = await log.read({ buffer, position: at });
    if (bytesRead === 0) return;
    await target.writeFile(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}
