// Changing a secret. Workloads get the new value at their next start.

import type { Clock } from "../../base/clock.ts";
import type { Vault } from "../../base/vault.ts";
import { Fault } from "../../domain/fault.ts";
import { type Secret, valueOwner } from "../../domain/secret/secret.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { changeSecret, lockSecret } from "../../store/secret/secret.ts";
import { throwRefusal } from "../throw-refusal.ts";

export interface SecretChanges {
  value?: string;
  description?: string;
}

export async function changeSecretOf(
  { store, clock, vault }: { store: Store; clock: Clock; vault: Vault },
  accountId: string,
  id: string,
  { value, description }: SecretChanges,
): Promise<Secret> {
  const sealed = value === undefined ? undefined : vault.seal(value, valueOwner(id));
  const changes = { value: sealed, description };
  return throwRefusal(store.write(saveSecret, accountId, id, changes, clock.now()));
}

function* saveSecret(
  accountId: string,
  id: string,
  { value, description }: { [Name in keyof SecretChanges]: string | undefined },
  now: number,
): Tx<Secret | Fault> {
  const before = yield* lockSecret(id);
  if (before?.accountId !== accountId) return new Fault("secret_not_found", { id });
  const secret = {
    ...before,
    value: value ?? before.value,
    description: description ?? before.description,
    changedAt: now,
    valueChangedAt: value === undefined ? before.valueChangedAt : now,
  };
  yield* changeSecret(secret);
  return secret;
}
