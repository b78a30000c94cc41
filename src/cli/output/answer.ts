// Prints the answer of a command: a table for people, JSON or ids for programs.

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
): void {
  if (rows.length === 0 && !json && !quiet) process.stderr.write(`No ${plural} found\n`);
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
    write(dump(item, { lineWidth: -1 }));
  }
}

/** A sentence about what was done, for people only. */
export function printDone(sentence: string, item: unknown, { json, quiet }: Printing): void {
  if (json) printJson(item);
  else if (!quiet) write(`${plainText(sentence)}\n`);
}

export function printJson(value: unknown): void {
  write(`${JSON.stringify(value, null, 2)}\n`);
}

export function write(text: string): void {
  process.stdout.write(text);
}
