// An escape for U+0000, which PostgreSQL's texts cannot hold and a worker's may. It begins with a code point
// that Unicode reserves for private use.

const MARK = "\u{10FFFF}";

/** The text as PostgreSQL can store it, nearly always unchanged. */
export function toStored(text: string): string {
  if (!text.includes("\0") && !text.includes(MARK)) return text;
  return text.replaceAll(MARK, `${MARK}1`).replaceAll("\0", `${MARK}0`);
}

export function fromStored(text: string): string {
  if (!text.includes(MARK)) return text;
  return text.replaceAll(`${MARK}0`, "\0").replaceAll(`${MARK}1`, MARK);
}
