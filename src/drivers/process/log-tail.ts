// The last lines of a log, read from its end, so that a long log costs no more than a short one.
import { type FileHandle, open } from "node:fs/promises";

const PIECE_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

export interface TailLine {
  text: string;
  /** Where it ends, its line end included, in bytes from the start of the newest file. */
  end: number;
}

/** The last `tail` lines of files that continue one another, oldest file first. */
export async function tailLines(paths: string[], tail: number): Promise<TailLine[]> {
  if (!(tail > 0)) return [];
  const pieces: Buffer[] = [];
  let newestBytes = 0;
  // One more line end than lines, because the last line ends with one too.
  let lineEnds = 0;
  for (const path of paths.toReversed()) {
    if (lineEnds > tail) break;
    const file = await openIfThere(path);
    if (!file) continue;
    try {
      const { size } = await file.stat();
      if (path === paths.at(-1)) newestBytes = size;
      for await (const piece of backwards(file, size)) {
        pieces.push(piece);
        lineEnds += countLineEnds(piece);
        if (lineEnds > tail) break;
      }
    } finally {
      await file.close();
    }
  }
  const bytes = Buffer.concat(pieces.reverse());
  return cutLines(bytes, newestBytes - bytes.length).slice(-tail);
}

/** The lines of some bytes of which the first stands at `from`; the last one may lack its end. */
export function cutLines(bytes: Buffer, from: number): TailLine[] {
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

async function openIfThere(path: string): Promise<FileHandle | null> {
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
    const start = Math.max(0, end - PIECE_BYTES);
    const { bytesRead, buffer } = await file.read({
      buffer: Buffer.alloc(end - start),
      position: start,
    });
    yield buffer.subarray(0, bytesRead);
    end = start;
  }
}

function countLineEnds(piece: Buffer): number {
  let count = 0;
  for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
