// The last lines of a log, read from its end, so that a long log costs no more than a short one.
import { type FileHandle, open } from "node:fs/promises";

const PIECE_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** The last `tail` lines of files that continue one another, oldest file first. */
export async function tailLines(paths: string[], tail: number): Promise<string[]> {
  if (!(tail > 0)) return [];
  const pieces: Buffer[] = [];
  // One more line end than lines, because the last line ends with one too.
  let lineEnds = 0;
  for (const path of paths.toReversed()) {
    if (lineEnds > tail) break;
    const file = await openIfThere(path);
    if (!file) continue;
    try {
      for await (const piece of backwards(file)) {
        pieces.push(piece);
        lineEnds += countLineEnds(piece);
        if (lineEnds > tail) break;
      }
    } finally {
      await file.close();
    }
  }
  const lines = Buffer.concat(pieces.reverse()).toString("utf8").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.slice(-tail).map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function* backwards(file: FileHandle): AsyncGenerator<Buffer> {
  let end = (await file.stat()).size;
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
