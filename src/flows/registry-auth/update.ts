// Changing the credentials or the labels of a container registry auth. Later pulls use the new credentials.

import type { Vault } from "../../base/vault.ts";
import type { Labels } from "../../domain/label/labels.ts";
import { type Credentials, credentialsOwner } from "../../domain/registry-auth.ts";
import type { Store } from "../../store/engine/store.ts";
import { saveRegistryAuth } from "../../transactions/registry-auth/write.ts";
import { throwRefusal } from "../throw-refusal.ts";
import type { AuthName } from "./read.ts";

export interface RegistryAuthChanges {
  credentials?: Credentials;
  labels?: Labels;
}

export async function changeRegistryAuthOf(
  { store, vault }: { store: Store; vault: Vault },
  accountId: string,
  id: string,
  { credentials, labels }: RegistryAuthChanges,
): Promise<AuthName> {
  const changes = {
    ...(credentials && {
      credentials: vault.seal(JSON.stringify(credentials), credentialsOwner(id)),
    }),
    ...(labels && { labels }),
  };
  return throwRefusal(store.write(saveRegistryAuth, accountId, id, changes));
}
