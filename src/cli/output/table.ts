// Rows as aligned columns for people. A terminal gets colors, unless NO_COLOR is set, and lines no longer
// than its width; a pipe gets the whole text.

import { stripVTControlCharacters, styleText } from "node:util";
import stringWidth from "fast-string-width";

type Cell = string | number | boolean | null | undefined;
/** The heading of a column, and its text for a row. */
export type TableColumn<Row> = readonly [heading: string, cell: (row: Row) => Cell];

const GAP = "   ";
const MIN_WIDTH = 8;

export function tableText<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  stream: NodeJS.WriteStream,
): string {
  const headings = columns.map(([heading]) => heading);
  const lines = rows.map((row) => columns.map(([, cell]) => plainText(cell(row))));
  const wanted = headings.map((heading, at) =>
    Math.max(...[heading, ...lines.map((line) => line[at]!)].map((text) => stringWidth(text))),
  );
  const widths = stream.isTTY ? fitted(wanted, stream.columns ?? 80) : wanted;
  const aligned = (cells: string[], style: (cell: string) => Style | undefined) =>
    cells
      .map((cell, at) => {
        const text = cut(cell, widths[at]!);
        const padding = at === cells.length - 1 ? 0 : widths[at]! - stringWidth(text);
        return styled(style(cell), text, stream) + " ".repeat(padding);
      })
      .join(GAP);
  const texts = [aligned(headings, () => "bold"), ...lines.map((line) => aligned(line, toneOf))];
  return texts.map((text) => `${text}\n`).join("");
}

/** Names and errors come from others: they get neither a line of their own nor control of the terminal. */
export function plainText(cell: Cell): string {
  if (cell === null || cell === undefined || cell === "") return "-";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  return stripVTControlCharacters(String(cell)).replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
}

/** Narrows the widest columns until a line fits. */
function fitted(widths: number[], limit: number): number[] {
  const narrow = [...widths];
  const total = () => narrow.reduce((sum, width) => sum + width, GAP.length * (narrow.length - 1));
  while (total() > limit) {
    const widest = Math.max(...narrow);
    if (widest <= MIN_WIDTH) break;
    narrow[narrow.lastIndexOf(widest)] = widest - 1;
  }
  return narrow;
}

export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let end = text.length;
  while (stringWidth(text.slice(0, end)) > width - 1) end--;
  return `${text.slice(0, end)}…`;
}

type Style = "green" | "red" | "yellow" | "bold";

const tones: Record<string, Style> = {
  ...tone("green", "RUNNING", "COMPLETED", "idle", "busy", "ok", "enabled"),
  ...tone("red", "FAILED", "TIMED_OUT", "unhealthy", "spent", "disabled"),
  ...tone("red", "START FAILED", "MACHINE LOST", "UNHEALTHY"),
  ...tone(
    "yellow",
    "PROVISIONING",
    "STARTING",
    "IN_QUEUE",
    "IN_PROGRESS",
    "starting",
    "draining",
    "warning",
  ),
};

function tone(style: Style, ...words: string[]): Record<string, Style> {
  return Object.fromEntries(words.map((word) => [word, style]));
}

/** A state in its color. */
export function coloredState(state: string, stream: NodeJS.WriteStream): string {
  return styled(toneOf(state), state, stream);
}

/** A crash carries its exit code: "CRASHED (exit 1)". */
const toneOf = (cell: string) =>
  cell.startsWith("CRASHED") ? "red" : Object.hasOwn(tones, cell) ? tones[cell] : undefined;

function styled(style: Style | undefined, text: string, stream: NodeJS.WriteStream): string {
  return style ? styleText(style, text, { stream }) : text;
}
