// An account's API keys, without their secrets.

import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { findKey, listKeys } from "../../store/account/account.ts";
import type { Store } from "../../store/store.ts";

export async function keysOf({ store }: { store: Store }, accountId: string): Promise<ApiKey[]> {
  return store.read(listKeys, accountId);
}

export async function keyOf(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<ApiKey> {
  const key = await store.read(findKey, id, accountId);
  if (!key) throw new Fault("key_not_found", { id });
  return key;
}
