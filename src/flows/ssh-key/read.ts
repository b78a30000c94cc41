// Reading an account's SSH keys.

import { Fault } from "../../domain/fault.ts";
import type { SshKey } from "../../domain/ssh-key/ssh-key.ts";
import type { Store } from "../../store/engine/store.ts";
import { findSshKey, listSshKeys } from "../../store/ssh-key/ssh-key.ts";

export async function sshKeysOf({ store }: { store: Store }, accountId: string): Promise<SshKey[]> {
  return store.read(listSshKeys, accountId);
}

export async function readSshKey(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<SshKey> {
  const key = await store.read(findSshKey, id);
  if (key?.accountId !== accountId) throw new Fault("ssh_key_not_found", { id });
  return key;
}
