// An account as it reads itself.

import type { Account } from "../../domain/account.ts";
import { findAccount } from "../../store/account/account.ts";
import type { Store } from "../../store/store.ts";

/** The account a key belongs to; no key outlives its account. */
export async function accountOf({ store }: { store: Store }, id: string): Promise<Account> {
  return (await store.read(findAccount, id))!;
}
