// Creating a container registry auth. Its credentials are encrypted immediately and never returned.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Vault } from "../../base/vault.ts";
import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import { registryName } from "../../domain/image/image-registry.ts";
import {
  type Credentials,
  credentialsOwner,
  type RegistryAuth,
} from "../../domain/registry-auth.ts";
import type { Store } from "../../store/engine/store.ts";
import { insertRegistryAuth } from "../../store/registry-auth/registry-auth.ts";
import { requireRoom } from "../../transactions/account/require-room.ts";
import { createOnceIn } from "../create-once.ts";

export interface NewRegistryAuth extends Credentials {
  accountId: string;
  name: string;
  registry?: string;
  once: IdempotencyKey | null;
}

export async function createRegistryAuth(
  { store, clock, ids, vault }: { store: Store; clock: Clock; ids: Ids; vault: Vault },
  { accountId, name, registry: host, username, password, once }: NewRegistryAuth,
): Promise<RegistryAuth> {
  const id = ids.short(25);
  const credentials = vault.seal(JSON.stringify({ username, password }), credentialsOwner(id));
  const registry = host === undefined ? null : registryName(host);
  const auth = { id, accountId, name, credentials, registry, createdAt: clock.now() };
  return createOnceIn({ store, once, now: auth.createdAt }, function* () {
    const refusal = yield* requireRoom("registryAuth", accountId);
    if (refusal) return refusal;
    if (yield* insertRegistryAuth(auth)) return auth;
    return new Fault("name_taken", { noun: "container registry auth", name });
  });
}
