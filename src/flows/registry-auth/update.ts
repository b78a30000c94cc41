// Changing the credentials of a container registry auth. Later pulls use the new ones.

import type { Vault } from "../../base/vault.ts";
import { Fault } from "../../domain/fault.ts";
import { type Credentials, credentialsOwner } from "../../domain/registry-auth.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { changeRegistryAuth, lockRegistryAuth } from "../../store/registry-auth/registry-auth.ts";
import { throwRefusal } from "../throw-refusal.ts";
import type { AuthName } from "./read.ts";

export async function changeRegistryAuthOf(
  { store, vault }: { store: Store; vault: Vault },
  accountId: string,
  id: string,
  { username, password }: Credentials,
): Promise<AuthName> {
  const credentials = vault.seal(JSON.stringify({ username, password }), credentialsOwner(id));
  return throwRefusal(store.write(saveCredentials, accountId, id, credentials));
}

function* saveCredentials(
  accountId: string,
  id: string,
  credentials: string,
): Tx<AuthName | Fault> {
  const auth = yield* lockRegistryAuth(id);
  if (auth?.accountId !== accountId) return new Fault("registry_auth_not_found", { id });
  yield* changeRegistryAuth(id, credentials);
  return auth;
}
