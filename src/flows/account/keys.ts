// The API keys that a key sees, without their secrets: all of its account, or a member's own.

import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { roleCovers } from "../../domain/member/roles.ts";
import { findKey, type KeptKey, listKeys } from "../../store/account/account.ts";
import type { Store } from "../../store/store.ts";

export type KeyView = KeptKey;

export async function keysOf({ store }: { store: Store }, by: ApiKey): Promise<KeyView[]> {
  const all = await store.read(listKeys, by.accountId);
  return all.filter((key) => mayManage(by, key));
}

export async function keyOf({ store }: { store: Store }, by: ApiKey, id: string): Promise<KeyView> {
  const key = await store.read(findKey, id, by.accountId);
  if (!key || !mayManage(by, key)) throw new Fault("key_not_found", { id });
  return key;
}

/** Whoever manages the account manages all of its keys. */
export function mayManage(by: ApiKey, key: ApiKey): boolean {
  if (roleCovers(by.member?.role ?? null, "account", "write")) return true;
  return key.member !== null && key.member.id === by.member?.id;
}
