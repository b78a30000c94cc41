// Zero bytes in a body: text that no container engine and no other program can take.

/** The path of the first such member; null if there is none. */
export function fieldWithNul(value: unknown, path = ""): string | null {
  if (typeof value === "string") return value.includes("\0") ? path : null;
  if (typeof value !== "object" || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    if (key.includes("\0")) return path;
    const own = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    const found = fieldWithNul(member, own);
    if (found !== null) return found;
  }
  return null;
}
