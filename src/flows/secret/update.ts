// A client gives a secret another value, which workloads have from their next start on.

import type { Clock } from "../../base/clock.ts";
import type { Vault } from "../../base/vault.ts";
import { Fault } from "../../domain/fault.ts";
import { type Secret, valueOwner } from "../../domain/secret/secret.ts";
import { changeSecret, lockSecret } from "../../store/secret/secret.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";

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
  const result = await store.write(keep, accountId, id, changes, clock.now());
  if (result instanceof Fault) throw result;
  return result;
}

function* keep(
  accountId: string,
  id: string,
  { value, description }: { [Name in keyof SecretChanges]: string | undefined },
  now: number,
): Verb<Secret | Fault> {
  const before = yield* lockSecret(id);
  if (before?.accountId !== accountId) return new Fault("secret_not_found", { id });
  const secret = {
    ...before,
    value: value ?? before.value,
    description: description ?? before.description,
    changedAt: now,
  };
  yield* changeSecret(secret);
  return secret;
}
