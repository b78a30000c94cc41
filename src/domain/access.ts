// How far something may be gone into.

export type Access = "none" | "read" | "write";

/** True where `has` covers what an operation needs. */
export function covers(has: Access, needs: "read" | "write"): boolean {
  return has === "write" || (has === "read" && needs === "read");
}
