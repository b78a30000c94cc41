// The summary that a backup, a restore and a move print of the store they copied.

import { bytesText } from "../base/text/bytes-text.ts";
import type { Examined } from "../store/engine/sqlite/file.ts";

/** Its size and schema, and the number of rows of each table that has any. */
export function examinedText({ schema, bytes, rows }: Examined): string {
  return `${bytesText(bytes)}, schema ${schema}, every page and row verified\n\n${rowsText(rows)}`;
}

export function rowsText(rows: Record<string, number>): string {
  const filled = Object.entries(rows).filter(([, count]) => count > 0);
  const width = Math.max(...filled.map(([name]) => name.length));
  return filled
    .map(([name, count]) => `  ${name.padEnd(width)}  ${String(count).padStart(9)}\n`)
    .join("");
}
