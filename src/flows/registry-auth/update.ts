// Changing the credentials of a container registry auth. Later pulls use the new ones.

import type { Vault } from "../../base/vault.ts";
import { type Credentials, credentialsOwner } from "../../domain/registry-auth.ts";
import type { Store } from "../../store/engine/store.ts";
import { saveCredentials } from "../../transactions/registry-auth/write.ts";
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
