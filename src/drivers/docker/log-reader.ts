// Reads the log that an engine sends, as it comes: frames of a header and a piece of text, each piece
// beginning with the time it was written at. Pure.

import { LONGEST_LINE, type LogLine } from "../driver.ts";

const HEADER_BYTES = 8;

/** A time as engines write it, and how many lines before had the same. */
export interface Mark {
  stamp: string;
  count: number;
}

export const markText = ({ stamp, count }: Mark): string => `${stamp}/${count}`;

/** Null where it is none of ours. */
export function readMark(text: string): Mark | null {
  const [, stamp, count] = /^(\d{4}-[\dT:.+-]+Z?)\/(\d{1,9})$/.exec(text) ?? [];
  if (!stamp || Number.isNaN(Date.parse(stamp))) return null;
  return { stamp, count: Number(count) };
}

/** Seconds since the epoch with all the digits there are, as engines take an instant. */
export function secondsOf(stamp: string): string {
  const [, fraction = "0"] = /\.(\d+)/.exec(stamp) ?? [];
  return `${Math.floor(Date.parse(stamp) / 1_000)}.${fraction.padEnd(9, "0").slice(0, 9)}`;
}

export class LogReader {
  #rest: Buffer = Buffer.alloc(0);
  /** A line longer than an engine writes at once comes in pieces; by output. */
  readonly #unfinished = new Map<number, LogLine>();
  #last: Mark = { stamp: "", count: 0 };

  /** The lines that are whole by now, of both outputs, in the order in which they were written. */
  feed(piece: Buffer): LogLine[] {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    const lines: LogLine[] = [];
    let at = 0;
    while (at + HEADER_BYTES <= bytes.length) {
      const from = at + HEADER_BYTES;
      const to = from + bytes.readUInt32BE(at + 4);
      if (to > bytes.length) break;
      this.#read(bytes[at]!, bytes.toString("utf8", from, to), lines);
      at = to;
    }
    this.#rest = bytes.subarray(at);
    return lines;
  }

  /** Lines that never came to their end. */
  end(): LogLine[] {
    const lines = [...this.#unfinished.values()];
    this.#unfinished.clear();
    return lines;
  }

  #read(output: number, text: string, lines: LogLine[]): void {
    for (const piece of piecesOf(text)) {
      const space = piece.indexOf(" ");
      const stamp = piece.slice(0, space);
      const at = Date.parse(stamp);
      const known = !Number.isNaN(at);
      const rest = known ? piece.slice(space + 1) : piece;
      const line = this.#unfinished.get(output) ?? {
        at: known ? at : null,
        text: "",
        mark: this.#mark(known ? stamp : this.#last.stamp),
      };
      const whole = rest.endsWith("\n");
      line.text += whole ? rest.slice(0, rest.endsWith("\r\n") ? -2 : -1) : rest;
      if (whole || line.text.length >= LONGEST_LINE) {
        this.#unfinished.delete(output);
        lines.push(line);
      } else {
        this.#unfinished.set(output, line);
      }
    }
  }

  #mark(stamp: string): string {
    this.#last = { stamp, count: stamp === this.#last.stamp ? this.#last.count + 1 : 1 };
    return markText(this.#last);
  }
}

/** Each with its own time; nearly always there is one. */
function piecesOf(text: string): string[] {
  const end = text.indexOf("\n");
  return end === -1 || end === text.length - 1 ? [text] : text.split(/(?<=\n)/);
}

/** Lets pass what stands behind a mark in a log that is read from the mark's instant on. */
export class Behind {
  readonly #mark: Mark | null;
  #passed: boolean;

  constructor(mark: Mark | null) {
    this.#mark = mark;
    this.#passed = mark === null;
  }

  of(lines: LogLine[]): LogLine[] {
    if (this.#passed) return lines;
    const from = lines.findIndex(({ mark }) => this.#isBehind(mark));
    if (from === -1) return [];
    this.#passed = true;
    return lines.slice(from);
  }

  #isBehind(text: string): boolean {
    const own = readMark(text);
    const { stamp, count } = this.#mark!;
    if (own === null) return false;
    const order = compareStamps(own.stamp, stamp);
    return order > 0 || (order === 0 && own.count > count);
  }
}

function compareStamps(a: string, b: string): number {
  const [x, y] = [secondsOf(a), secondsOf(b)];
  if (x.length !== y.length) return x.length - y.length;
  return x < y ? -1 : Number(x > y);
}
