// A client says what all of the account's public keys are: those that are there already stay as they are.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import { Fault } from "../../domain/fault.ts";
import { readPublicKey } from "../../domain/ssh-key/public-key.ts";
import type { SshKey } from "../../domain/ssh-key/ssh-key.ts";
import { deleteSshKey, insertSshKey, listSshKeys } from "../../store/ssh-key/ssh-key.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { MOST_KEYS, sshKeyToKeep } from "./create.ts";

export async function replaceSshKeys(
  deps: { store: Store; clock: Clock; ids: Ids },
  accountId: string,
  publicKeys: readonly string[],
): Promise<void> {
  if (publicKeys.length > MOST_KEYS) {
    const detail = `"pubKey" holds ${publicKeys.length} keys; an account has ${MOST_KEYS} at most.`;
    throw new Fault("invalid_body", { detail });
  }
  const wanted = publicKeys.map((publicKey, n) => {
    const read = readPublicKey(publicKey);
    if (typeof read !== "string") return sshKeyToKeep(deps, accountId, read);
    throw new Fault("invalid_body", { detail: `Key ${n + 1} of "pubKey" is not taken: ${read}` });
  });
  await deps.store.write(replace, accountId, wanted);
}

function* replace(accountId: string, wanted: SshKey[]): Verb<void> {
  const fingerprints = new Set(wanted.map(({ fingerprint }) => fingerprint));
  for (const key of yield* listSshKeys(accountId)) {
    if (!fingerprints.has(key.fingerprint)) yield* deleteSshKey(key.id, accountId);
  }
  for (const key of wanted) yield* insertSshKey(key);
}
