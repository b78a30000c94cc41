// PostgreSQL's texts cannot hold U+0000, and ours do: a worker may post any sentence. So it is
// written as an escape, which begins with a code point that Unicode has set aside for such uses.

const MARK = "\u{10FFFF}";

/** The text as PostgreSQL can keep it; nearly always the same. */
export function toStored(text: string): string {
  if (!text.includes("\0") && !text.includes(MARK)) return text;
  return text.replaceAll(MARK, `${MARK}1`).replaceAll("\0", `${MARK}0`);
}

export function fromStored(text: string): string {
  if (!text.includes(MARK)) return text;
  return text.replaceAll(`${MARK}0`, "\0").replaceAll(`${MARK}1`, MARK);
}
