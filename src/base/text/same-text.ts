// The comparison of secrets and signatures.

import { timingSafeEqual } from "node:crypto";

/** In a time that does not depend on where they differ. */
export function isSameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
