// A parser of an engine's log stream: frames of a header and a piece of text, each of which begins with
// its time. Pure.

import { type LogLine, MAX_LINE_CHARS } from "../../driver.ts";

const HEADER_BYTES = 8;

/** The position of a line: its time in the engine's notation, and its number among lines of that time. */
export interface DockerLogMark {
  stamp: string;
  count: number;
}

const markText = ({ stamp, count }: DockerLogMark): string => `${stamp}/${count}`;

/** Null if the text is not a mark. */
export function readMark(text: string): DockerLogMark | null {
  const [, stamp, count] = /^(\d{4}-[\dT:.+-]+Z?)\/(\d{1,9})$/.exec(text) ?? [];
  if (!stamp || Number.isNaN(Date.parse(stamp))) return null;
  return { stamp, count: Number(count) };
}

/** Seconds since the epoch with all digits of the fraction, the form in which engines accept a time. */
export function secondsOf(stamp: string): string {
  const [, fraction = "0"] = /\.(\d+)/.exec(stamp) ?? [];
  return `${Math.floor(Date.parse(stamp) / 1_000)}.${fraction.padEnd(9, "0").slice(0, 9)}`;
}

export class LogReader {
  #rest: Buffer = Buffer.alloc(0);
  /** Lines that arrive in several pieces, by output. */
  readonly #unfinished = new Map<number, LogLine>();
  #last: DockerLogMark = { stamp: "", count: 0 };

  /** The lines that are complete now, of both outputs, in the order of writing. */
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

  /** The incomplete lines at the end of the stream. */
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
      const hasTime = !Number.isNaN(at);
      const rest = hasTime ? piece.slice(space + 1) : piece;
      const line = this.#unfinished.get(output) ?? {
        at: hasTime ? at : null,
        text: "",
        mark: this.#mark(hasTime ? stamp : this.#last.stamp),
      };
      const isComplete = rest.endsWith("\n");
      line.text += isComplete ? rest.slice(0, rest.endsWith("\r\n") ? -2 : -1) : rest;
      if (isComplete || line.text.length >= MAX_LINE_CHARS) {
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

/** Splits a frame's text into lines, each with its own time; usually there is one. */
function piecesOf(text: string): string[] {
  const end = text.indexOf("\n");
  return end === -1 || end === text.length - 1 ? [text] : text.split(/(?<=\n)/);
}

/** A filter for the lines after a mark, in a log that is read from the mark's time on. */
export class LinesAfterMark {
  readonly #mark: DockerLogMark | null;
  #isPast: boolean;

  constructor(mark: DockerLogMark | null) {
    this.#mark = mark;
    this.#isPast = mark === null;
  }

  of(lines: LogLine[]): LogLine[] {
    if (this.#isPast) return lines;
    const from = lines.findIndex(({ mark }) => this.#isAfterMark(mark));
    if (from === -1) return [];
    this.#isPast = true;
    return lines.slice(from);
  }

  #isAfterMark(text: string): boolean {
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
