// Creating an API key. It is returned once and stored only as a hash. A member's key belongs to the member.

import type { Clock } from "../../base/clock.ts";
import { hashSecret, type Ids } from "../../base/ids.ts";
import type { Vault } from "../../base/vault.ts";
import type { ApiKey, Permissions } from "../../domain/account.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import { type Labels, noLabels } from "../../domain/label/labels.ts";
import type { Store } from "../../store/engine/store.ts";
import { insertOwnKey } from "../../transactions/api-key/insert-key.ts";
import { currentAddress } from "../audit/action.ts";
import { createWithSecretOnce } from "../create-once.ts";

export interface NewKey {
  /** The caller's key; the new key cannot have more permissions. */
  by: ApiKey;
  name: string;
  labels?: Labels;
  /** Omitted interfaces are not accessible; null copies the caller's permissions. */
  permissions: Partial<Permissions> | null;
  once: IdempotencyKey | null;
}

export async function createKey(
  { store, clock, ids, vault }: { store: Store; clock: Clock; ids: Ids; vault: Vault },
  { by, name, labels = noLabels, permissions, once }: NewKey,
): Promise<{ key: ApiKey & { labels: Labels }; secret: string }> {
  const secret = ids.secret("fh_");
  const key = {
    id: ids.short(14),
    accountId: by.accountId,
    name,
    labels,
    hint: secret.slice(-4),
    member: by.member,
    permissions: permissions
      ? { ...nothing, endpoints: by.permissions.endpoints, ...permissions }
      : by.permissions,
    createdAt: clock.now(),
    disabledAt: null,
  };
  const address = currentAddress();
  const { created, secret: first } = await createWithSecretOnce(
    { store, vault, once, now: key.createdAt },
    secret,
    function* () {
      const refusal = yield* insertOwnKey(by, key, hashSecret(secret), address);
      return refusal ?? key;
    },
  );
  return { key: created, secret: first };
}

const nothing = { rest: "none", graphql: "none", queue: "none" } as const;
