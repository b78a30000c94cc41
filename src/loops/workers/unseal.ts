// Decrypts what a workload needs at its start: the values of its secrets and the credentials of its
// registry. They are handed to the driver and stored nowhere.

import { UnsealError, type Vault } from "../../base/vault.ts";
import { registryOf } from "../../domain/image/image-registry.ts";
import { type Credentials, credentialsOwner, wrongRegistry } from "../../domain/registry-auth.ts";
import { type Secret, secretsIn, valueOwner, withSecrets } from "../../domain/secret/secret.ts";
import { StartRefused } from "../../drivers/driver.ts";
import type { Store } from "../../store/engine/store.ts";
import { findRegistryAuth } from "../../store/registry-auth/registry-auth.ts";
import { bindToRegistry } from "../../transactions/registry-auth/bind.ts";
import { usableSecrets } from "../../transactions/secret/usable-secrets.ts";

export interface Sealed {
  accountId: string;
  /** The member that the workload belongs to; null for the account alone. */
  ownerId: string | null;
  image: string;
  env: Record<string, string>;
  /** Empty or null for none. */
  containerRegistryAuthId: string | null;
}

export interface Unsealed {
  env: Record<string, string>;
  auth?: Credentials;
  /** The values that were decrypted. */
  secrets: string[];
}

/** Throws StartRefused where a secret or a registry auth is missing or cannot be decrypted. */
export async function unseal(
  deps: { store: Store; vault: Vault },
  sealed: Sealed,
): Promise<Unsealed> {
  const { accountId, ownerId, env } = sealed;
  const names = secretsIn(env);
  const secrets =
    names.length === 0 ? [] : await deps.store.read(usableSecrets, accountId, ownerId, names);
  for (const name of names) {
    if (secrets.some((secret) => secret.name === name)) continue;
    throw new StartRefused(`there is no secret "${name.slice(0, 80)}"`, "secret_missing");
  }
  const values = secrets.map((secret) => [secret.name, secretText(deps.vault, secret)] as const);
  const auth = await authOf(deps, sealed);
  return {
    env: withSecrets(env, new Map(values)),
    ...(auth && { auth }),
    secrets: [...values.map(([, value]) => value), ...(auth ? [auth.password] : [])],
  };
}

function secretText(vault: Vault, { id, name, value }: Secret): string {
  return decrypt(`the secret "${name}"`, () => vault.open(value, valueOwner(id)));
}

/** Credentials go to one registry only: the one that they are for, or else that of their first use. */
async function authOf(
  { store, vault }: { store: Store; vault: Vault },
  { accountId, image, containerRegistryAuthId: id }: Sealed,
): Promise<Credentials | null> {
  // The engine's own id of an image names no registry.
  if (!id || image.startsWith("sha256:")) return null;
  let auth = await store.read(findRegistryAuth, id);
  if (auth?.accountId === accountId && auth.registry === null) {
    auth = await store.write(bindToRegistry, id, registryOf(image));
  }
  if (auth?.accountId !== accountId) {
    throw new StartRefused(`there is no container registry auth ${id}`, "image_unauthorised");
  }
  const wrong = wrongRegistry(auth, image);
  if (wrong !== null) throw new StartRefused(wrong, "image_unauthorised");
  const { name, credentials } = auth;
  const subject = `the container registry auth "${name}"`;
  return JSON.parse(decrypt(subject, () => vault.open(credentials, credentialsOwner(id))));
}

function decrypt(subject: string, open: () => string): string {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    throw new StartRefused(`${subject} cannot be opened: ${error.message}`);
  }
}
