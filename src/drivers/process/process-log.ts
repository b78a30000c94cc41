// The log of one process: the file that it writes to and the rotated part before it. A position is
// counted in bytes from the very beginning of the log, so it stays valid across rotations.

import { open, readFile, rename, stat, writeFile } from "node:fs/promises";
import { type Clock, pause } from "../../base/clock.ts";
import { type LogLine, MAX_LINE_CHARS } from "../driver.ts";
import { KeyedMutex } from "../keyed-mutex.ts";
import { newestLines } from "../newest-lines.ts";
import { rotatedLogPath, rotateLog } from "./log-rotation.ts";
import { splitLines, type TailLine, tailLines } from "./log-tail.ts";

const CHUNK_BYTES = 256 * 1024;

/** How often a followed log is checked for new lines. */
const POLL_MS = 200;

export class ProcessLog {
  readonly path: string;
  readonly #maxBytes: number;
  /** One operation at a time, because a rotation moves the lines that a reader reads. */
  readonly #mutex = new KeyedMutex();
  /** Bytes that were written before those of the file; null until it is read from disk. */
  #rotatedBytes: number | null = null;

  constructor(path: string, maxBytes: number) {
    this.path = path;
    this.#maxBytes = maxBytes;
  }

  tail(count: number): Promise<LogLine[]> {
    return this.#mutex.run(this.path, async () => {
      const rotatedBytes = await this.#readRotatedBytes();
      const lines = await tailLines([rotatedLogPath(this.path), this.path], count);
      return newestLines(
        lines.flatMap((line) => logLines(line, rotatedBytes)),
        count,
      );
    });
  }

  rotate(): Promise<void> {
    return this.#mutex.run(this.path, async () => {
      const rotatedBytes = await this.#readRotatedBytes();
      const bytes = await rotateLog(this.path, this.#maxBytes);
      if (bytes === 0) return;
      this.#rotatedBytes = rotatedBytes + bytes;
      await writeFile(`${this.#rotatedBytesFile}.new`, String(this.#rotatedBytes), { mode: 0o600 });
      await rename(`${this.#rotatedBytesFile}.new`, this.#rotatedBytesFile);
    });
  }

  /** The lines after a position, then new lines until `isOver` says that no more will come. */
  async *follow(
    clock: Clock,
    after: string | null,
    signal: AbortSignal,
    isOver: () => boolean,
  ): AsyncGenerator<LogLine[]> {
    let at = Number(after ?? 0);
    let partialLine: Buffer = Buffer.alloc(0);
    while (!signal.aborted) {
      const ended = isOver();
      const { bytes, from } = await this.#read(at);
      if (from > at) partialLine = Buffer.alloc(0);
      at = from + bytes.length;
      const unread = Buffer.concat([partialLine, bytes]);
      const lastLineEnd = unread.lastIndexOf("\n") + 1;
      const isTooLong = unread.length - lastLineEnd > MAX_LINE_CHARS;
      const end = isTooLong || (ended && bytes.length === 0) ? unread.length : lastLineEnd;
      partialLine = unread.subarray(end);
      const lines = splitLines(unread.subarray(0, end), at - unread.length);
      if (lines.length > 0) yield lines.flatMap((line) => logLines(line, 0));
      if (bytes.length > 0) continue;
      if (ended) return;
      await pause(clock, POLL_MS, signal);
    }
  }

  /** A chunk from a position on, or from the oldest byte that is kept. */
  #read(position: number): Promise<{ bytes: Buffer; from: number }> {
    return this.#mutex.run(this.path, async () => {
      const rotatedBytes = await this.#readRotatedBytes();
      const older = rotatedLogPath(this.path);
      const first = rotatedBytes - (await sizeOf(older));
      const from = Math.max(first, position);
      const [file, at] =
        from < rotatedBytes ? [older, from - first] : [this.path, from - rotatedBytes];
      return { bytes: await readAt(file, at), from };
    });
  }

  async #readRotatedBytes(): Promise<number> {
    this.#rotatedBytes ??=
      Number(await readFile(this.#rotatedBytesFile, "utf8").catch(() => "0")) || 0;
    return this.#rotatedBytes;
  }

  get #rotatedBytesFile(): string {
    return `${this.path}.cut`;
  }
}

function logLines({ text, end }: TailLine, rotatedBytes: number): LogLine[] {
  const mark = String(rotatedBytes + end);
  if (text.length <= MAX_LINE_CHARS) return [{ at: null, text, mark }];
  const start = String(Math.max(0, rotatedBytes + end - Buffer.byteLength(text) - 2));
  const pieces = Math.ceil(text.length / MAX_LINE_CHARS);
  return Array.from({ length: pieces }, (_, n) => ({
    at: null,
    text: text.slice(n * MAX_LINE_CHARS, (n + 1) * MAX_LINE_CHARS),
    mark: n === pieces - 1 ? mark : start,
  }));
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function readAt(path: string, at: number): Promise<Buffer> {
  const file = await open(path, "r").catch(() => null);
  if (!file) return Buffer.alloc(0);
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES);
    const { bytesRead } = await file.read({ buffer, position: at });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
