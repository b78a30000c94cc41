// Prints the answer of a command: a table for people, JSON or ids for programs.

import { isExactNumber } from "../client/exact-json.ts";
import { plainText, type TableColumn, tableText } from "./table.ts";

export interface Printing {
  json?: boolean;
  quiet?: boolean;
}

export function printList<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  idOf: (row: Row) => string,
  { json, quiet }: Printing,
): void {
  if (json) printJson(rows);
  else if (quiet) write(rows.map((row) => `${idOf(row)}\n`).join(""));
  else write(tableText(rows, columns, process.stdout));
}

/** Says that a table has no rows. It goes to the error output, as programs read the table. */
export function reportNone(
  rows: readonly unknown[],
  plural: string,
  { json, quiet }: Printing,
  hint = "",
): void {
  if (rows.length === 0 && !json && !quiet) process.stderr.write(`No ${plural} found${hint}\n`);
}

/** One thing with all its members. */
export async function printOne(
  item: unknown,
  id: string,
  { json, quiet }: Printing,
): Promise<void> {
  if (json) printJson(item);
  else if (quiet) write(`${id}\n`);
  else {
    const { dump } = await import("js-yaml");
    write(withNumbers(item, (plain) => dump(plain, { lineWidth: -1 })));
  }
}

/** Numbers that YAML's library would round are words until the text is there. */
function withNumbers(item: unknown, textOf: (plain: unknown) => string): string {
  const text = JSON.stringify(item);
  let word = "number-";
  while (text.includes(word)) word += "-";
  const numbers: string[] = [];
  const replace = (value: unknown): unknown => {
    if (isExactNumber(value)) return `${word}${numbers.push(value.rawJSON) - 1}`;
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replace(each)]));
  };
  return textOf(replace(item)).replace(new RegExp(`${word}(\\d+)`, "g"), (_, n) => numbers[n]!);
}

/** A sentence about what was done, for people only. */
export function printDone(sentence: string, item: unknown, { json, quiet }: Printing): void {
  if (json) printJson(item);
  else if (!quiet) write(`${plainText(sentence)}\n`);
}

/** A sentence about a thing that was changed, or its id where only ids are asked for. */
export function printChange(sentence: string, item: { id: string }, printing: Printing): void {
  if (printing.quiet && !printing.json) write(`${item.id}\n`);
  else printDone(sentence, item, printing);
}

export function printJson(value: unknown): void {
  write(`${JSON.stringify(value, null, 2)}\n`);
}

export function write(text: string): void {
  process.stdout.write(text);
}
