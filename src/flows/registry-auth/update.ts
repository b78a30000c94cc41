// A client gives a container registry auth other credentials, which pulls use from then on.

import type { Vault } from "../../base/vault.ts";
import { Fault } from "../../domain/fault.ts";
import { type Credentials, credentialsOwner } from "../../domain/registry-auth.ts";
import { changeRegistryAuth, lockRegistryAuth } from "../../store/registry-auth/registry-auth.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import type { AuthName } from "./read.ts";

export async function changeRegistryAuthOf(
  { store, vault }: { store: Store; vault: Vault },
  accountId: string,
  id: string,
  { username, password }: Credentials,
): Promise<AuthName> {
  const credentials = vault.seal(JSON.stringify({ username, password }), credentialsOwner(id));
  const result = await store.write(keep, accountId, id, credentials);
  if (result instanceof Fault) throw result;
  return result;
}

function* keep(accountId: string, id: string, credentials: string): Verb<AuthName | Fault> {
  const auth = yield* lockRegistryAuth(id);
  if (auth?.accountId !== accountId) return new Fault("registry_auth_not_found", { id });
  yield* changeRegistryAuth(id, credentials);
  return auth;
}
