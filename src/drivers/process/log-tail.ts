// The last lines of a log, read backward from its end, so that the cost does not depend on its length.

import { type FileHandle, open } from "node:fs/promises";

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

export interface TailLine {
  text: string;
  /** The position after it and its line end, in bytes from the start of the newest file. */
  end: number;
}

/** The last `tail` lines of consecutive files, oldest file first. */
export async function tailLines(paths: string[], tail: number): Promise<TailLine[]> {
  if (!(tail > 0)) return [];
  const chunks: Buffer[] = [];
  let newestBytes = 0;
  // One more line end than lines is needed, because the last line has one too.
  let lineEnds = 0;
  for (const path of paths.toReversed()) {
    if (lineEnds > tail) break;
    const file = await openIfExists(path);
    if (!file) continue;
    try {
      const { size } = await file.stat();
      if (path === paths.at(-1)) newestBytes = size;
      for await (const chunk of backwards(file, size)) {
        chunks.push(chunk);
        lineEnds += countLineEnds(chunk);
        if (lineEnds > tail) break;
      }
    } finally {
      await file.close();
    }
  }
  const bytes = Buffer.concat(chunks.reverse());
  return splitLines(bytes, newestBytes - bytes.length).slice(-tail);
}

/** The lines of some bytes that begin at the position `from`; the last line may be incomplete. */
export function splitLines(bytes: Buffer, from: number): TailLine[] {
  const lines: TailLine[] = [];
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(NEWLINE, at);
    const end = found === -1 ? bytes.length : found;
    const text = bytes.toString("utf8", at, end);
    at = found === -1 ? end : end + 1;
    lines.push({ text: text.endsWith("\r") ? text.slice(0, -1) : text, end: from + at });
  }
  return lines;
}

async function openIfExists(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function* backwards(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  let end = size;
  while (end > 0) {
    const start = Math.max(0, end - CHUNK_BYTES);
    const { bytesRead, buffer } = await file.read({
      buffer: Buffer.alloc(end - start),
      position: start,
    });
    yield buffer.subarray(0, bytesRead);
    end = start;
  }
}

function countLineEnds(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
