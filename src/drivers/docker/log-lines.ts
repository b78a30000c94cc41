// Reads the log that an engine sends: frames of a header and a piece of text, each piece beginning
// with the time it was written at. Pure.

import type { LogLine } from "../driver.ts";

const HEADER_BYTES = 8;

/** The lines of both outputs, in the order in which they were written. */
export function logLines(bytes: Buffer): LogLine[] {
  const lines: LogLine[] = [];
  /** A line longer than an engine writes at once comes in pieces; by output. */
  const unfinished = new Map<number, LogLine>();
  for (const { output, text } of frames(bytes)) {
    for (const piece of text.split(/(?<=\n)/)) {
      const begun = unfinished.get(output);
      const { at, rest } = readTime(piece);
      const line = begun ?? { at, text: "" };
      if (!begun) lines.push(line);
      line.text += rest.replace(/\r?\n$/, "");
      if (piece.endsWith("\n")) unfinished.delete(output);
      else unfinished.set(output, line);
    }
  }
  return lines;
}

function* frames(bytes: Buffer): Generator<{ output: number; text: string }> {
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const length = bytes.readUInt32BE(at + 4);
    const from = at + HEADER_BYTES;
    yield { output: bytes[at]!, text: bytes.toString("utf8", from, from + length) };
    at = from + length;
  }
}

function readTime(piece: string): { at: number | null; rest: string } {
  const space = piece.indexOf(" ");
  const at = Date.parse(piece.slice(0, space));
  return Number.isNaN(at) ? { at: null, rest: piece } : { at, rest: piece.slice(space + 1) };
}
