// The log of one workload that is a process: the file that it writes to and the part before that.
// A place in it is counted in bytes from its very beginning, so that it holds over rotations.

import { open, readFile, rename, stat, writeFile } from "node:fs/promises";
import { type Clock, pause } from "../../base/clock.ts";
import { LONGEST_LINE, type LogLine } from "../driver.ts";
import { newest } from "../newest-lines.ts";
import { Turns } from "../turns.ts";
import { olderLog, rotateLog } from "./log-rotation.ts";
import { cutLines, type TailLine, tailLines } from "./log-tail.ts";

const PIECE_BYTES = 256 * 1024;

/** How often a log that is followed is looked at for more. */
const LOOK_MS = 200;

export class ProcessLog {
  readonly path: string;
  readonly #maxBytes: number;
  /** One at a time, because a rotation moves the lines from under a reader. */
  readonly #turns = new Turns();
  /** Bytes that were written before those of the file; null until it was looked up. */
  #cut: number | null = null;

  constructor(path: string, maxBytes: number) {
    this.path = path;
    this.#maxBytes = maxBytes;
  }

  tail(count: number): Promise<LogLine[]> {
    return this.#turns.take(this.path, async () => {
      const cut = await this.#cutSoFar();
      const lines = await tailLines([olderLog(this.path), this.path], count);
      return newest(
        lines.flatMap((line) => logLines(line, cut)),
        count,
      );
    });
  }

  rotate(): Promise<void> {
    return this.#turns.take(this.path, async () => {
      const cut = await this.#cutSoFar();
      const bytes = await rotateLog(this.path, this.#maxBytes);
      if (bytes === 0) return;
      this.#cut = cut + bytes;
      await writeFile(`${this.#cutFile}.new`, String(this.#cut), { mode: 0o600 });
      await rename(`${this.#cutFile}.new`, this.#cutFile);
    });
  }

  /** What stands behind a place, and what comes until `over` says that no more will. */
  async *follow(
    clock: Clock,
    after: string | null,
    gone: AbortSignal,
    over: () => boolean,
  ): AsyncGenerator<LogLine[]> {
    let at = Number(after ?? 0);
    let begun: Buffer = Buffer.alloc(0);
    while (!gone.aborted) {
      const ended = over();
      const { bytes, from } = await this.#read(at);
      if (from > at) begun = Buffer.alloc(0);
      at = from + bytes.length;
      const whole = Buffer.concat([begun, bytes]);
      const end = whole.lastIndexOf("\n") + 1;
      const long = whole.length - end > LONGEST_LINE;
      const told = long || (ended && bytes.length === 0) ? whole.length : end;
      begun = whole.subarray(told);
      const lines = cutLines(whole.subarray(0, told), at - whole.length);
      if (lines.length > 0) yield lines.flatMap((line) => logLines(line, 0));
      if (bytes.length > 0) continue;
      if (ended) return;
      await pause(clock, LOOK_MS, gone);
    }
  }

  /** Some bytes from a place on, or from the first that is still there. */
  #read(place: number): Promise<{ bytes: Buffer; from: number }> {
    return this.#turns.take(this.path, async () => {
      const cut = await this.#cutSoFar();
      const older = olderLog(this.path);
      const first = cut - (await sizeOf(older));
      const from = Math.max(first, place);
      const [file, at] = from < cut ? [older, from - first] : [this.path, from - cut];
      return { bytes: await readAt(file, at), from };
    });
  }

  async #cutSoFar(): Promise<number> {
    this.#cut ??= Number(await readFile(this.#cutFile, "utf8").catch(() => "0")) || 0;
    return this.#cut;
  }

  get #cutFile(): string {
    return `${this.path}.cut`;
  }
}

function logLines({ text, end }: TailLine, cut: number): LogLine[] {
  const mark = String(cut + end);
  if (text.length <= LONGEST_LINE) return [{ at: null, text, mark }];
  const start = String(Math.max(0, cut + end - Buffer.byteLength(text) - 2));
  const pieces = Math.ceil(text.length / LONGEST_LINE);
  return Array.from({ length: pieces }, (_, n) => ({
    at: null,
    text: text.slice(n * LONGEST_LINE, (n + 1) * LONGEST_LINE),
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
    const buffer = Buffer.alloc(PIECE_BYTES);
    const { bytesRead } = await file.read({ buffer, position: at });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
