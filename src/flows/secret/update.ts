// Changing a secret. Workloads get the new value at their next start.

import type { Clock } from "../../base/clock.ts";
import type { Vault } from "../../base/vault.ts";
import type { Labels } from "../../domain/label/labels.ts";
import { type Secret, valueOwner } from "../../domain/secret/secret.ts";
import type { Store } from "../../store/engine/store.ts";
import { saveSecret } from "../../transactions/secret/write.ts";
import { throwRefusal } from "../throw-refusal.ts";

export interface SecretChanges {
  value?: string;
  description?: string;
  labels?: Labels;
}

export async function changeSecretOf(
  { store, clock, vault }: { store: Store; clock: Clock; vault: Vault },
  accountId: string,
  id: string,
  { value, ...settings }: SecretChanges,
): Promise<Secret> {
  const sealed = value === undefined ? undefined : vault.seal(value, valueOwner(id));
  const changes = { ...settings, ...(sealed !== undefined && { value: sealed }) };
  return throwRefusal(store.write(saveSecret, accountId, id, changes, clock.now()));
}
