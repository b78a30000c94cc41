// Records as RFC 4180 has them: a line of names, then a line each.

/** Nothing at all where there is no record. */
export function csv(rows: readonly object[]): string {
  const first = rows[0];
  if (!first) return "";
  const lines = [Object.keys(first), ...rows.map((row) => Object.values(row))];
  return lines.map((line) => `${line.map(field).join(",")}\r\n`).join("");
}

/** A text that a spreadsheet would run as a formula is kept one by an apostrophe. */
function field(value: unknown): string {
  let text = String(value ?? "");
  if (typeof value === "string" && /^[=+\-@\t\r]/.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
