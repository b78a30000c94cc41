// A piece of an archived log: consecutive lines, compressed.

export interface LogPiece {
  lines: number;
  /** The length of their text. */
  chars: number;
  bytes: Uint8Array;
}
