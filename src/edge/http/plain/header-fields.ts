// Header and trailer fields of HTTP/1 in their plain form: tokens as names, no folded lines, no control characters, and
// CRLF as the only line break. Pure.

const FIELD = /[!#$%&'*+\-.^_`|~\dA-Za-z]+:[\t\x20-\x7e\x80-\xff]*\r\n/y;

/** The fields from `start` to the end of the text, as names and values; null if there is anything else. */
export function parseFields(text: string, start = 0): string[] | null {
  const fields: string[] = [];
  for (let at = start; at < text.length; at = FIELD.lastIndex) {
    FIELD.lastIndex = at;
    if (!FIELD.test(text)) return null;
    const colon = text.indexOf(":", at);
    fields.push(text.slice(at, colon), trimmed(text, colon + 1, FIELD.lastIndex - 2));
  }
  return fields;
}

/** A part of the text without the spaces and tabs around it. `trim` would remove more. */
function trimmed(text: string, from: number, to: number): string {
  let [start, end] = [from, to];
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Compares a header's name with a lower-case one. Most differ in length, and are then not converted. */
export const isNamed = (name: string, lower: string): boolean =>
  name.length === lower.length && name.toLowerCase() === lower;

const isBlank = (code: number) => code === 0x20 || code === 0x09;
