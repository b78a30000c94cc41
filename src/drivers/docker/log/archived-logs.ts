// The archived logs of a workload's earlier containers: a container's log is removed with the container,
// and a workload that starts again gets a new one. Archived logs are stored in compressed pieces.

import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { LogPiece } from "../../../domain/log/log-piece.ts";
import { type LogLine, MAX_LOG_CHARS } from "../../driver.ts";
import { newestLines } from "../../newest-lines.ts";

/** The limits for all earlier containers of a workload together. */
export const MAX_ARCHIVED = { lines: 5_000, chars: MAX_LOG_CHARS };

/** The storage of pieces, shared by all replicas that drive the engine. */
export interface LogPieceStore {
  /** Oldest first. */
  pieces(id: string): Promise<Uint8Array[]>;
  /** Appends a piece, and removes the oldest pieces beyond the limits. */
  add(id: string, piece: LogPiece, limits: Omit<LogPiece, "bytes">): Promise<void>;
  forget(id: string): Promise<void>;
}

/** Small enough that the write of one piece does not delay other writes. */
const PIECE_CHARS = 512 * 1_024;

export class ArchivedLogs {
  readonly #pieces: LogPieceStore;

  constructor(store: LogPieceStore) {
    this.#pieces = store;
  }

  async archive(id: string, lines: LogLine[]): Promise<void> {
    for (const batch of inPieces(newestLines(lines, MAX_ARCHIVED.lines))) {
      const bytes = await promisify(gzip)(JSON.stringify(batch));
      await this.#pieces.add(
        id,
        { lines: batch.length, chars: charsOf(batch), bytes },
        MAX_ARCHIVED,
      );
    }
  }

  async of(id: string): Promise<LogLine[]> {
    const pieces = await this.#pieces.pieces(id);
    const lines: LogLine[] = [];
    for (const bytes of pieces) {
      const text = await promisify(gunzip)(bytes);
      lines.push(...(JSON.parse(text.toString()) as LogLine[]));
    }
    return newestLines(lines, MAX_ARCHIVED.lines);
  }

  forget(id: string): Promise<void> {
    return this.#pieces.forget(id);
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
