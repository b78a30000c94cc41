// Creating a secret. Its value is encrypted immediately and never returned.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Vault } from "../../base/vault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import { type Labels, noLabels } from "../../domain/label/labels.ts";
import type { Owned } from "../../domain/member/member.ts";
import { type Secret, valueOwner } from "../../domain/secret/secret.ts";
import type { Store } from "../../store/engine/store.ts";
import { addSecret } from "../../transactions/secret/write.ts";
import { createOnceIn } from "../create-once.ts";

export interface NewSecret extends Owned {
  accountId: string;
  name: string;
  value: string;
  description?: string;
  labels?: Labels;
  once: IdempotencyKey | null;
}

export async function createSecret(
  { store, clock, ids, vault }: { store: Store; clock: Clock; ids: Ids; vault: Vault },
  { accountId, owner, name, value, description = "", labels = noLabels, once }: NewSecret,
): Promise<Secret> {
  const id = ids.short(14);
  const now = clock.now();
  const sealed = vault.seal(value, valueOwner(id));
  const times = { createdAt: now, changedAt: now, valueChangedAt: now };
  const secret = { id, accountId, owner, name, description, labels, value: sealed, ...times };
  return createOnceIn({ store, once, now }, () => addSecret(secret));
}
