// The first account, created when a data folder is first used, and its keys.

import type { Clock } from "../../base/clock.ts";
import { hashSecret, type Ids } from "../../base/ids.ts";
import { type Account, everything } from "../../domain/account.ts";
import { firstAccount, insertAccount } from "../../store/account/account.ts";
import { insertKey } from "../../store/api-key/api-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { ensureSetting } from "../../store/setting/setting.ts";

interface Deps {
  store: Store;
  clock: Clock;
  ids: Ids;
}

/** Returns the first account, and whether it was created now. */
export async function ensureFirstAccount(
  deps: Deps,
): Promise<{ account: Account; isNew: boolean }> {
  const account: Account = {
    id: `user_${deps.ids.short(27)}`,
    name: "first",
    webhookSecret: null,
    createdAt: deps.clock.now(),
  };
  return deps.store.write(firstOr, account);
}

function* firstOr(account: Account): Tx<{ account: Account; isNew: boolean }> {
  const first = yield* firstAccount();
  if (first) return { account: first, isNew: false };
  // If several replicas start on a new database, one of them creates the account.
  if ((yield* ensureSetting("first_account", account.id)) !== account.id) {
    return { account: (yield* firstAccount())!, isNew: false };
  }
  yield* insertAccount(account);
  return { account, isNew: true };
}

/** Ensures that the key exists and has full access to the account. */
export async function ensureKey(
  deps: Deps,
  accountId: string,
  name: string,
  secret: string,
): Promise<void> {
  const key = {
    id: deps.ids.short(14),
    accountId,
    name,
    hint: secret.slice(-4),
    member: null,
    permissions: everything,
    createdAt: deps.clock.now(),
    disabledAt: null,
  };
  await deps.store.write(insertKey, key, hashSecret(secret));
}
