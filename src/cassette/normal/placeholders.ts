// Placeholders of a cassette, such as {{id:1}}: what stands in them, and text of clients that looks like one.

export interface Placeholder {
  name: "id" | "uuid" | "time" | "number" | "secret" | "key" | "origin";
  /** "1" of {{id:1}}, "+2h epoch-ms" of {{time +2h epoch-ms}}. */
  detail: string;
}

const NAMES = "id|uuid|time|number|secret|key|origin";
const PLACEHOLDER = new RegExp(`\\{\\{(${NAMES})(?:[: ]([^{}]*))?\\}\\}`, "g");
const LITERAL = new RegExp(`\\{\\{(\\\\*)(?=(?:${NAMES})\\b)`, "g");
const ESCAPED = new RegExp(`\\{\\{\\\\(?=\\\\*(?:${NAMES})\\b)`, "g");

/** Text as it was sent, so that none of it reads as a placeholder. */
export const escapeLiterals = (text: string): string => text.replace(LITERAL, "{{\\$1");

/** Replaces every placeholder; `fill` returns text. */
export function fillPlaceholders(
  text: string,
  fill: (placeholder: Placeholder, whole: string) => string,
): string {
  return text
    .replace(PLACEHOLDER, (whole, name, detail = "") => fill({ name, detail }, whole))
    .replace(ESCAPED, "{{");
}

/** The placeholder that is the whole text, or null. */
export function solePlaceholder(text: string): Placeholder | null {
  const [match, another] = text.matchAll(PLACEHOLDER);
  if (!match || another || match[0].length !== text.length) return null;
  return { name: match[1] as Placeholder["name"], detail: match[2] ?? "" };
}

/** The text between the placeholders, and the placeholders: one more text than placeholders. */
export function splitPlaceholders(text: string): { texts: string[]; placeholders: Placeholder[] } {
  const pieces = text.split(PLACEHOLDER);
  const texts = pieces.filter((_, n) => n % 3 === 0).map((each) => each.replace(ESCAPED, "{{"));
  const placeholders = [];
  for (let n = 1; n < pieces.length; n += 3)
    placeholders.push({ name: pieces[n] as Placeholder["name"], detail: pieces[n + 1] ?? "" });
  return { texts, placeholders };
}
