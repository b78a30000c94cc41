// Reading an account's container registry auths, without credentials.

import { Fault } from "../../domain/fault.ts";
import type { RegistryAuth } from "../../domain/registry-auth.ts";
import type { Store } from "../../store/engine/store.ts";
import { findRegistryAuth, listRegistryAuths } from "../../store/registry-auth/registry-auth.ts";

export type AuthName = Pick<
  RegistryAuth,
  "id" | "name" | "labels" | "registry" | "createdAt" | "owner"
>;

export async function registryAuthsOf(
  { store }: { store: Store },
  accountId: string,
): Promise<AuthName[]> {
  return store.read(listRegistryAuths, accountId);
}

export async function readRegistryAuth(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<AuthName> {
  const auth = await store.read(findRegistryAuth, id);
  if (auth?.accountId !== accountId) throw new Fault("registry_auth_not_found", { id });
  return auth;
}
