// The first account, made when a data folder is first used, and the keys that open it.

import type { Clock } from "../../base/clock.ts";
import { hashSecret, type Ids } from "../../base/ids.ts";
import { type Account, everything } from "../../domain/account.ts";
import { firstAccount, insertAccount, insertKey } from "../../store/account/account.ts";
import { settleSetting } from "../../store/setting.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";

interface Deps {
  store: Store;
  clock: Clock;
  ids: Ids;
}

/** The account, and whether it was made just now. */
export async function ensureFirstAccount(deps: Deps): Promise<{ account: Account; made: boolean }> {
  const account: Account = {
    id: `user_${deps.ids.short(27)}`,
    name: "first",
    webhookSecret: null,
    createdAt: deps.clock.now(),
  };
  return deps.store.write(firstOr, account);
}

function* firstOr(account: Account): Verb<{ account: Account; made: boolean }> {
  const first = yield* firstAccount();
  if (first) return { account: first, made: false };
  // Of replicas that start at once on a new database, one makes it.
  if ((yield* settleSetting("first_account", account.id)) !== account.id) {
    return { account: (yield* firstAccount())!, made: false };
  }
  yield* insertAccount(account);
  return { account, made: true };
}

/** Makes sure that a key opens everything in the account. */
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
