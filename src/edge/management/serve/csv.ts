// CSV by RFC 4180: a header line, then one line per record.

/** Returns an empty text if there are no records. */
export function csv(rows: readonly object[]): string {
  const first = rows[0];
  if (!first) return "";
  return [Object.keys(first), ...rows.map((row) => Object.values(row))].map(csvLine).join("");
}

export function csvLine(values: readonly unknown[]): string {
  return `${values.map(field).join(",")}\r\n`;
}

/** An apostrophe keeps a spreadsheet from reading a text as a formula. */
function field(value: unknown): string {
  let text = String(value ?? "");
  if (typeof value === "string" && /^[=+\-@\t\r]/.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
