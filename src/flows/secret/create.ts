// Creating a secret. Its value is encrypted immediately and never returned.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Vault } from "../../base/vault.ts";
import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import { type Secret, valueOwner } from "../../domain/secret/secret.ts";
import type { Store } from "../../store/engine/store.ts";
import { insertSecret } from "../../store/secret/secret.ts";
import { requireRoom } from "../../transactions/account/require-room.ts";
import { createOnceIn } from "../create-once.ts";

export interface NewSecret {
  accountId: string;
  name: string;
  value: string;
  description?: string;
  once: IdempotencyKey | null;
}

export async function createSecret(
  { store, clock, ids, vault }: { store: Store; clock: Clock; ids: Ids; vault: Vault },
  { accountId, name, value, description = "", once }: NewSecret,
): Promise<Secret> {
  const id = ids.short(14);
  const now = clock.now();
  const sealed = vault.seal(value, valueOwner(id));
  const times = { createdAt: now, changedAt: now, valueChangedAt: now };
  const secret = { id, accountId, name, description, value: sealed, ...times };
  return createOnceIn({ store, once, now }, function* () {
    const refusal = yield* requireRoom("secret", accountId);
    if (refusal) return refusal;
    if (yield* insertSecret(secret)) return secret;
    return new Fault("name_taken", { noun: "secret", name });
  });
}
