// Reading the caller's account.

import type { Account } from "../../domain/account.ts";
import { findAccount } from "../../store/account/account.ts";
import type { Store } from "../../store/engine/store.ts";

/** The account of a key; every key has one. */
export async function accountOf({ store }: { store: Store }, id: string): Promise<Account> {
  return (await store.read(findAccount, id))!;
}
