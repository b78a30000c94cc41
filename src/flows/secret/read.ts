// Reading an account's secrets, without values.

import { Fault } from "../../domain/fault.ts";
import type { Secret } from "../../domain/secret/secret.ts";
import type { Store } from "../../store/engine/store.ts";
import { findSecret, listSecrets } from "../../store/secret/secret.ts";

export type SecretName = Omit<Secret, "value">;

export async function secretsOf(
  { store }: { store: Store },
  accountId: string,
): Promise<SecretName[]> {
  return store.read(listSecrets, accountId);
}

export async function readSecret(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<SecretName> {
  const secret = await store.read(findSecret, id);
  if (secret?.accountId !== accountId) throw new Fault("secret_not_found", { id });
  return secret;
}
