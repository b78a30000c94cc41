// Someone makes an API key, which is his own where he is a member. It is shown once; what is kept is its hash.

import type { Clock } from "../../base/clock.ts";
import { hashSecret, type Ids } from "../../base/ids.ts";
import type { ApiKey, Permissions } from "../../domain/account.ts";
import { insertKey } from "../../store/account/account.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { makes } from "../audit/act.ts";
import { heldBack } from "../budget/held-back.ts";
import { mayNotGive } from "./may-not-give.ts";

export interface NewKey {
  /** The key that asks; the new one can do no more than it. */
  by: ApiKey;
  name: string;
  /** What is left out is closed; null for all that the asking key may. */
  permissions: Partial<Permissions> | null;
}

export async function createKey(
  { store, clock, ids }: { store: Store; clock: Clock; ids: Ids },
  { by, name, permissions }: NewKey,
): Promise<{ key: ApiKey; secret: string }> {
  const secret = ids.secret("fh_");
  const key: ApiKey = {
    id: ids.short(14),
    accountId: by.accountId,
    name,
    hint: secret.slice(-4),
    member: by.member,
    permissions: permissions
      ? { ...nothing, endpoints: by.permissions.endpoints, ...permissions }
      : by.permissions,
    createdAt: clock.now(),
    disabledAt: null,
  };
  makes(key.id);
  const refusal = await store.write(keep, by, key, hashSecret(secret));
  if (refusal) throw refusal;
  return { key, secret };
}

const nothing = { rest: "none", graphql: "none", queue: "none" } as const;

function* keep(by: ApiKey, key: ApiKey, hash: string): Verb<Error | null> {
  const refusal = (yield* heldBack(by)) ?? (yield* mayNotGive(by, key.permissions));
  if (refusal) return refusal;
  yield* insertKey(key, hash);
  return null;
}
