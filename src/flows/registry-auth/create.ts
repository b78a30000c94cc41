// A client keeps what opens a registry. It is sealed at once and never shown again.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Vault } from "../../base/vault.ts";
import { Fault } from "../../domain/fault.ts";
import {
  type Credentials,
  credentialsOwner,
  type RegistryAuth,
} from "../../domain/registry-auth.ts";
import { insertRegistryAuth } from "../../store/registry-auth/registry-auth.ts";
import type { Store } from "../../store/store.ts";
import { makes } from "../audit/act.ts";

export interface NewRegistryAuth extends Credentials {
  accountId: string;
  name: string;
}

export async function createRegistryAuth(
  { store, clock, ids, vault }: { store: Store; clock: Clock; ids: Ids; vault: Vault },
  { accountId, name, username, password }: NewRegistryAuth,
): Promise<RegistryAuth> {
  const id = ids.short(25);
  makes(id);
  const credentials = vault.seal(JSON.stringify({ username, password }), credentialsOwner(id));
  const auth = { id, accountId, name, credentials, createdAt: clock.now() };
  if (await store.write(insertRegistryAuth, auth)) return auth;
  throw new Fault("name_taken", { noun: "container registry auth", name });
}
