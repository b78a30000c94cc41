// The summary that a backup, a restore and a move print of the store they copied.

import { bytesText } from "../base/text/bytes-text.ts";
import type { Examined } from "../store/engine/sqlite/file.ts";

/** Its size and schema, and the number of rows per table. */
export function examinedText({ schema, bytes, rows }: Examined): string {
  return `${bytesText(bytes)}, schema ${schema}, every page and row verified\n\n${rowsText(rows)}`;
}

export function rowsText(rows: Record<string, number>): string {
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  return Object.entries(rows)
    .map(([name, count]) => `  ${name.padEnd(width)}  ${String(count).padStart(9)}\n`)
    .join("");
}
