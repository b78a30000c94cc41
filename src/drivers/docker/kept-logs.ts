// What earlier containers of a workload printed: a container's log goes with the container, and a
// workload that starts again gets a new one. It is kept in compressed pieces, because logs shrink well.

import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { type LogLine, MOST_LOG_TEXT } from "../driver.ts";
import { newest } from "../newest-lines.ts";

/** Kept of all earlier containers of a workload together. */
export const MOST_KEPT = { lines: 5_000, chars: MOST_LOG_TEXT };

/** Lines that are kept together, compressed. */
export interface LogPiece {
  lines: number;
  /** Of their text. */
  chars: number;
  bytes: Uint8Array;
}

/** Where pieces are kept: whoever drives the engine next must find them. */
export interface LogShelf {
  /** The oldest first. */
  pieces(id: string): Promise<Uint8Array[]>;
  /** Behind the others; lets go of the oldest ones that are not needed for `most`. */
  add(id: string, piece: LogPiece, most: Omit<LogPiece, "bytes">): Promise<void>;
  forget(id: string): Promise<void>;
}

/** Small enough that a write of one keeps nobody waiting. */
const PIECE_CHARS = 512 * 1_024;

export class KeptLogs {
  readonly #shelf: LogShelf;

  constructor(shelf: LogShelf) {
    this.#shelf = shelf;
  }

  async keep(id: string, lines: LogLine[]): Promise<void> {
    for (const some of inPieces(newest(lines, MOST_KEPT.lines))) {
      const bytes = await promisify(gzip)(JSON.stringify(some));
      await this.#shelf.add(id, { lines: some.length, chars: charsOf(some), bytes }, MOST_KEPT);
    }
  }

  async of(id: string): Promise<LogLine[]> {
    const pieces = await this.#shelf.pieces(id);
    const lines: LogLine[] = [];
    for (const bytes of pieces) {
      const text = await promisify(gunzip)(bytes);
      lines.push(...(JSON.parse(text.toString()) as LogLine[]));
    }
    return newest(lines, MOST_KEPT.lines);
  }

  forget(id: string): Promise<void> {
    return this.#shelf.forget(id);
  }
}

const charsOf = (lines: LogLine[]) => lines.reduce((sum, { text }) => sum + text.length, 0);

function inPieces(lines: LogLine[]): LogLine[][] {
  const pieces: LogLine[][] = [];
  let chars = PIECE_CHARS;
  for (const line of lines) {
    if (chars >= PIECE_CHARS) {
      pieces.push([]);
      chars = 0;
    }
    pieces.at(-1)!.push(line);
    chars += line.text.length;
  }
  return pieces;
}
