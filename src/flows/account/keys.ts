// The API keys that a key can see, without secrets: all keys of the account, or a member's own keys.

import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { mayManage } from "../../domain/key-access.ts";
import { findKey, type ListedKey, listKeys } from "../../store/api-key/api-key.ts";
import type { Store } from "../../store/engine/store.ts";

export type KeyView = ListedKey;

export async function keysOf({ store }: { store: Store }, by: ApiKey): Promise<KeyView[]> {
  const all = await store.read(listKeys, by.accountId);
  return all.filter((key) => mayManage(by, key));
}

export async function findManagedKey(
  { store }: { store: Store },
  by: ApiKey,
  id: string,
): Promise<KeyView> {
  const key = await store.read(findKey, id, by.accountId);
  if (!key || !mayManage(by, key)) throw new Fault("key_not_found", { id });
  return key;
}
