// Creating an account by the operator, with its first API key.

import { hashSecret } from "../../base/ids.ts";
import type { Vault } from "../../base/vault.ts";
import { type ApiKey, everything } from "../../domain/account.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import type { ManagedAccount } from "../../store/account/account.ts";
import { addAccount, addAccountKey } from "../../transactions/account/create.ts";
import { withFullAccess } from "../../transactions/api-key/with-full-access.ts";
import { createWithSecretOnce } from "../create-once.ts";
import type { FlowDeps } from "../flow-deps.ts";

export interface CreateAccountDeps extends FlowDeps {
  vault: Vault;
  /** Whether the process driver runs by default. Then there can be only one account. */
  processesUnasked: boolean;
}

export interface NewAccount {
  by: ApiKey;
  name: string;
  /** Whether usage is limited to the account's credits. */
  limited: boolean;
  once: IdempotencyKey | null;
}

export async function createAccount(
  deps: CreateAccountDeps,
  { by, name, limited, once }: NewAccount,
): Promise<{ account: ManagedAccount; secret: string }> {
  const { clock, ids } = deps;
  const account = {
    id: `user_${ids.short(27)}`,
    name,
    limited,
    disabledAt: null,
    maxLifetime: null,
    createdAt: clock.now(),
  };
  const { key, secret } = fullKey(deps, account.id, "first key");
  const { created, secret: first } = await createWithSecretOnce(
    { ...deps, once, now: account.createdAt },
    secret,
    () =>
      withFullAccess(by, () =>
        addAccount(by.accountId, account, { key, hash: hashSecret(secret) }, deps),
      ),
  );
  return { account: created, secret: first };
}

/** Creates another key with full access, for an account that has lost its keys. */
export async function createAccountKey(
  deps: CreateAccountDeps,
  by: ApiKey,
  { accountId, name, once }: { accountId: string; name: string; once: IdempotencyKey | null },
): Promise<{ key: ApiKey; secret: string }> {
  const { key, secret } = fullKey(deps, accountId, name);
  const { created, secret: first } = await createWithSecretOnce(
    { ...deps, once, now: key.createdAt },
    secret,
    () => withFullAccess(by, () => addAccountKey(by.accountId, key, hashSecret(secret))),
  );
  return { key: created, secret: first };
}

function fullKey(
  { clock, ids }: Pick<CreateAccountDeps, "clock" | "ids">,
  accountId: string,
  name: string,
) {
  const secret = ids.secret("fh_");
  const hint = secret.slice(-4);
  const times = { createdAt: clock.now(), disabledAt: null };
  const key: ApiKey = {
    id: ids.short(14),
    accountId,
    name,
    hint,
    member: null,
    permissions: everything,
    ...times,
  };
  return { key, secret };
}
