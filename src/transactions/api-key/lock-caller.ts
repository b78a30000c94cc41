// The key of a caller that manages keys, as it is now: the request may have passed before a commit that revoked or limited the key, or
// removed its member.

import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { type ListedKey, lockKey } from "../../store/api-key/api-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockMember, lockMembershipShared } from "../../store/member/member.ts";

interface Caller {
  by: ListedKey;
  /** The other key that was asked for; undefined if it is gone. */
  key: ListedKey | undefined;
}

interface Others {
  /** Another key of the account, that the caller changes. */
  keyId?: string;
  /** A member of the account, that the caller changes; it need not exist. */
  memberId?: string;
}

/**
 * Locks the caller's key and what it changes: members before keys, as a removal does, and each kind in one order. A member that
 * changes itself is locked at once as what is changed.
 */
export function* lockCaller(
  by: ApiKey,
  { keyId = by.id, memberId }: Others = {},
): Tx<Caller | Fault> {
  const ownId = by.member?.id;
  const memberIds = new Set([ownId, memberId].filter((id) => id !== undefined));
  for (const id of [...memberIds].sort()) {
    const isMember =
      id === memberId ? yield* lockMember(id, by.accountId) : yield* lockMembershipShared(id);
    if (!isMember && id === ownId) return new Fault("unauthorized");
  }
  const keys = new Map<string, ListedKey | undefined>();
  for (const id of [...new Set([by.id, keyId])].sort()) {
    keys.set(id, yield* lockKey(id, by.accountId));
  }
  const current = keys.get(by.id);
  if (!current || current.disabledAt !== null) return new Fault("unauthorized");
  return { by: current, key: keys.get(keyId) };
}
