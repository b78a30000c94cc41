// The key of a caller that manages keys, as it is now: the request may have passed before a commit that revoked or limited the key, or
// removed its member.

import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { type ListedKey, lockKey } from "../../store/api-key/api-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { requireMembership } from "../member/require-membership.ts";

interface Caller {
  by: ListedKey;
  /** The other key that was asked for; undefined if it is gone. */
  key: ListedKey | undefined;
}

/** Locks the caller's key, and another one of its account, in one order, after the member: a removal locks the member first. */
export function* lockCaller(by: ApiKey, otherId = by.id): Tx<Caller | Fault> {
  const refusal = yield* requireMembership({ ...(by.member && { owner: by.member }) });
  if (refusal) return refusal;
  const keys = new Map<string, ListedKey | undefined>();
  for (const id of [...new Set([by.id, otherId])].sort()) {
    keys.set(id, yield* lockKey(id, by.accountId));
  }
  const current = keys.get(by.id);
  if (!current || current.disabledAt !== null) return new Fault("unauthorized");
  return { by: current, key: keys.get(otherId) };
}
