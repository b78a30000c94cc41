// A client adds a public key to the account; its Pods are told of it from their next start on.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import { Fault } from "../../domain/fault.ts";
import { type PublicKey, readPublicKey } from "../../domain/ssh-key/public-key.ts";
import type { SshKey } from "../../domain/ssh-key/ssh-key.ts";
import { insertSshKey, listSshKeys } from "../../store/ssh-key/ssh-key.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { makes } from "../audit/act.ts";

/** All of them go into one environment variable. */
export const MOST_KEYS = 100;

export interface NewSshKey {
  accountId: string;
  publicKey: string;
  name?: string;
}

export async function createSshKey(
  deps: { store: Store; clock: Clock; ids: Ids },
  { accountId, publicKey, name }: NewSshKey,
): Promise<SshKey> {
  const read = readPublicKey(publicKey);
  if (typeof read === "string") {
    throw new Fault("invalid_body", { detail: `"publicKey" is not taken: ${read}` });
  }
  const key = sshKeyToKeep(deps, accountId, read, name);
  makes(key.id);
  const refusal = await deps.store.write(keep, key);
  if (refusal) throw refusal;
  return key;
}

export function sshKeyToKeep(
  { clock, ids }: { clock: Clock; ids: Ids },
  accountId: string,
  { line, comment, fingerprint }: PublicKey,
  name?: string,
): SshKey {
  const called = name ?? (comment.slice(0, 191) || line.split(" ", 1)[0]!);
  const made = { id: ids.short(14), createdAt: clock.now() };
  return { ...made, accountId, name: called, publicKey: line, fingerprint };
}

function* keep(key: SshKey): Verb<Fault | null> {
  if ((yield* listSshKeys(key.accountId)).length >= MOST_KEYS) {
    const detail = `An account has ${MOST_KEYS} SSH keys at most; delete one first.`;
    return new Fault("invalid_body", { detail });
  }
  const made = yield* insertSshKey(key);
  return made ? null : new Fault("ssh_key_known", { fingerprint: key.fingerprint });
}
