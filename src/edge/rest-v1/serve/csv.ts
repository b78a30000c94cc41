// CSV by RFC 4180: a header line, then one line per record.

/** Returns an empty text if there are no records. */
export function csv(rows: readonly object[]): string {
  const first = rows[0];
  if (!first) return "";
  const lines = [Object.keys(first), ...rows.map((row) => Object.values(row))];
  return lines.map((line) => `${line.map(field).join(",")}\r\n`).join("");
}

/** An apostrophe keeps a spreadsheet from reading a text as a formula. */
function field(value: unknown): string {
  let text = String(value ?? "");
  if (typeof value === "string" && /^[=+\-@\t\r]/.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
