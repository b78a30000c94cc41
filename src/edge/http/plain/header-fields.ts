// Header and trailer fields of HTTP/1 in their plain form: tokens as names, no folded lines, no control characters, and
// CRLF as the only line break. Pure.

const FIELD = /([!#$%&'*+\-.^_`|~\dA-Za-z]+):([\t\x20-\x7e\x80-\xff]*)\r\n/y;

/** The fields from `start` to the end of the text, as names and values; null if there is anything else. */
export function parseFields(text: string, start = 0): string[] | null {
  const fields: string[] = [];
  for (let at = start; at < text.length; at = FIELD.lastIndex) {
    FIELD.lastIndex = at;
    const field = FIELD.exec(text);
    if (!field) return null;
    fields.push(field[1]!, trimmed(field[2]!));
  }
  return fields;
}

/** Without the spaces and tabs around it. `trim` would remove more. */
function trimmed(value: string): string {
  let [start, end] = [0, value.length];
  while (start < end && isBlank(value.charCodeAt(start))) start++;
  while (end > start && isBlank(value.charCodeAt(end - 1))) end--;
  return value.slice(start, end);
}

const isBlank = (code: number) => code === 0x20 || code === 0x09;
