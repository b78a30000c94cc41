// The replacement of all SSH keys of an account.

import type { SshKey } from "../../domain/ssh-key/ssh-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { deleteSshKey, insertSshKey, listSshKeys } from "../../store/ssh-key/ssh-key.ts";

export function* replaceAllSshKeys(accountId: string, desired: SshKey[]): Tx<void> {
  const fingerprints = new Set(desired.map(({ fingerprint }) => fingerprint));
  for (const key of yield* listSshKeys(accountId)) {
    if (!fingerprints.has(key.fingerprint)) yield* deleteSshKey(key.id, accountId);
  }
  for (const key of desired) yield* insertSshKey(key);
}
