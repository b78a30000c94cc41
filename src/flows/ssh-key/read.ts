// Reading an account's SSH keys.

import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { distinctLines, isInListOf } from "../../domain/ssh-key/key-list.ts";
import type { SshKey } from "../../domain/ssh-key/ssh-key.ts";
import type { Store } from "../../store/engine/store.ts";
import { findSshKey, listSshKeys } from "../../store/ssh-key/ssh-key.ts";
import { limitedMember } from "../member/ownership.ts";

/** A member whose role sees only its own gets the member's keys. */
export async function sshKeysOf(
  { store }: { store: Store },
  by: Pick<ApiKey, "accountId" | "member">,
): Promise<SshKey[]> {
  const keys = await store.read(listSshKeys, by.accountId);
  const limited = limitedMember(by);
  return limited ? keys.filter(({ member }) => member?.id === limited.id) : keys;
}

/** The public keys of the list that "replace" replaces for this caller. */
export async function sshKeyLinesFor(
  { store }: { store: Store },
  by: Pick<ApiKey, "accountId" | "member">,
): Promise<string[]> {
  const keys = await store.read(listSshKeys, by.accountId);
  const memberId = limitedMember(by)?.id ?? null;
  return distinctLines(keys.filter((key) => isInListOf(memberId, key)));
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
