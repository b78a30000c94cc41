// The first account, created when a data folder is first used, and its keys.

import { hashSecret } from "../../base/ids.ts";
import { type Account, everything } from "../../domain/account.ts";
import { addFirstAccount, ensureFullKey } from "../../transactions/account/create.ts";
import type { FlowDeps } from "../flow-deps.ts";

/** Returns the first account, and whether it was created now. */
export async function ensureFirstAccount(
  deps: FlowDeps,
): Promise<{ account: Account; isNew: boolean }> {
  const account: Account = {
    id: `user_${deps.ids.short(27)}`,
    name: "first",
    webhookSecret: null,
    createdAt: deps.clock.now(),
  };
  return deps.store.write(addFirstAccount, account);
}

/** Ensures that the key exists. */
export async function ensureKey(
  deps: FlowDeps,
  accountId: string,
  name: string,
  secret: string,
  { isOfMachine = false }: { isOfMachine?: boolean } = {},
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
  await deps.store.write(ensureFullKey, key, hashSecret(secret), { isOfMachine });
}
