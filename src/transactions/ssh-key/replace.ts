// The replacement of a list of SSH keys: a limited member's, or the one that all other callers share.

import { isInListOf } from "../../domain/ssh-key/key-list.ts";
import type { SshKey } from "../../domain/ssh-key/ssh-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { deleteSshKey, insertSshKey, listSshKeys } from "../../store/ssh-key/ssh-key.ts";

/** `memberId` names the limited member. A key that is already in the list stays with the person that has it. */
export function* replaceSshKeysOf(
  accountId: string,
  memberId: string | null,
  desired: SshKey[],
): Tx<void> {
  const fingerprints = new Set(desired.map(({ fingerprint }) => fingerprint));
  const present = new Set<string>();
  for (const key of yield* listSshKeys(accountId)) {
    if (!isInListOf(memberId, key)) continue;
    if (fingerprints.has(key.fingerprint)) present.add(key.fingerprint);
    else yield* deleteSshKey(key.id, accountId);
  }
  for (const key of desired) {
    if (!present.has(key.fingerprint)) yield* insertSshKey(key);
  }
}
