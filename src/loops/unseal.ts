// What only the start of a workload may know: the values of secrets, and what opens the registry of its
// image. They are opened here, handed to the driver, and kept nowhere.

import { CannotOpen, type Vault } from "../base/vault.ts";
import { type Credentials, credentialsOwner } from "../domain/registry-auth.ts";
import { type Secret, secretsIn, valueOwner, withSecrets } from "../domain/secret/secret.ts";
import { type RegistryAuth, StartRefused } from "../drivers/driver.ts";
import { findRegistryAuth } from "../store/registry-auth/registry-auth.ts";
import { secretsNamed } from "../store/secret/secret.ts";
import type { Store } from "../store/store.ts";

export interface Sealed {
  accountId: string;
  env: Record<string, string>;
  /** Empty or null for none. */
  containerRegistryAuthId: string | null;
}

export interface Unsealed {
  env: Record<string, string>;
  auth?: RegistryAuth;
}

/** Throws StartRefused where something is not there, or does not open. */
export async function unseal(
  deps: { store: Store; vault: Vault },
  { accountId, env, containerRegistryAuthId }: Sealed,
): Promise<Unsealed> {
  const names = secretsIn(env);
  const secrets = names.length === 0 ? [] : await deps.store.read(secretsNamed, accountId, names);
  for (const name of names) {
    if (secrets.some((secret) => secret.name === name)) continue;
    throw new StartRefused(`there is no secret "${name.slice(0, 80)}"`, "secret_missing");
  }
  const values = secrets.map((secret) => [secret.name, secretText(deps.vault, secret)] as const);
  const auth = containerRegistryAuthId
    ? await authOf(deps, accountId, containerRegistryAuthId)
    : null;
  return { env: withSecrets(env, new Map(values)), ...(auth && { auth }) };
}

function secretText(vault: Vault, { id, name, value }: Secret): string {
  return opened(`the secret "${name}"`, () => vault.open(value, valueOwner(id)));
}

async function authOf(
  { store, vault }: { store: Store; vault: Vault },
  accountId: string,
  id: string,
): Promise<Credentials> {
  const auth = await store.read(findRegistryAuth, id);
  if (auth?.accountId !== accountId) {
    throw new StartRefused(`there is no container registry auth ${id}`, "image_unauthorised");
  }
  const what = `the container registry auth "${auth.name}"`;
  return JSON.parse(opened(what, () => vault.open(auth.credentials, credentialsOwner(id))));
}

function opened(what: string, open: () => string): string {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error;
    throw new StartRefused(`${what} cannot be opened: ${error.message}`);
  }
}
