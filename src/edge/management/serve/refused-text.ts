// Text that no program can take: a zero byte, which ends a text of a container engine, and half of a surrogate pair,
// which no encoding has, so that a store keeps another character.

export interface RefusedText {
  path: string;
  complaint: string;
}

const NUL = "has a NUL character, which no text may have";
const HALF = "has half of a surrogate pair, which no text may have";

/** The first such member of a body, or null. */
export function refusedText(value: unknown, path = ""): RefusedText | null {
  if (typeof value === "string") return refusedString(value, path);
  if (typeof value !== "object" || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    const own = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    const refused = refusedString(key, path) ?? refusedText(member, own);
    if (refused !== null) return refused;
  }
  return null;
}

function refusedString(text: string, path: string): RefusedText | null {
  if (text.includes("\0")) return { path, complaint: NUL };
  return text.isWellFormed() ? null : { path, complaint: HALF };
}
