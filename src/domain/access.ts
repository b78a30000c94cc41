// The access that a key has to an interface: none, read or write.

export type Access = "none" | "read" | "write";

/** True if `has` includes the access that an operation needs. */
export function covers(has: Access, needs: "read" | "write"): boolean {
  return has === "write" || (has === "read" && needs === "read");
}
