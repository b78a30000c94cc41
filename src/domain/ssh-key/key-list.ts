// The SSH keys that a caller reads and replaces as one list. Pure.

import { opensEveryPod } from "./opens-pod.ts";
import type { SshKey } from "./ssh-key.ts";

/**
 * A member whose role sees only its own has a list of its own. All other callers share a list, with memberId null:
 * the keys that open every Pod. A limited member's key is not in it, because writing back the list that was read
 * would add the key for the caller, and open every Pod to it.
 */
export function isInListOf(memberId: string | null, key: Pick<SshKey, "member">): boolean {
  return memberId === null ? opensEveryPod(key) : key.member?.id === memberId;
}

/** Public keys without repetition: several people may have one key. */
export function distinctLines(
  keys: readonly Pick<SshKey, "fingerprint" | "publicKey">[],
): string[] {
  const lines = new Map<string, string>();
  for (const { fingerprint, publicKey } of keys) {
    if (!lines.has(fingerprint)) lines.set(fingerprint, publicKey);
  }
  return [...lines.values()];
}
