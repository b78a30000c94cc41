// Creating a container registry auth. Its credentials are encrypted immediately and never returned.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Vault } from "../../base/vault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import { registryName } from "../../domain/image/image-registry.ts";
import { type Labels, noLabels } from "../../domain/label/labels.ts";
import type { Owned } from "../../domain/member/member.ts";
import {
  type Credentials,
  credentialsOwner,
  type RegistryAuth,
} from "../../domain/registry-auth.ts";
import type { Store } from "../../store/engine/store.ts";
import { addRegistryAuth } from "../../transactions/registry-auth/write.ts";
import { createOnceIn } from "../create-once.ts";

export interface NewRegistryAuth extends Credentials, Owned {
  accountId: string;
  name: string;
  labels?: Labels;
  registry?: string;
  once: IdempotencyKey | null;
}

export async function createRegistryAuth(
  { store, clock, ids, vault }: { store: Store; clock: Clock; ids: Ids; vault: Vault },
  { labels = noLabels, registry: host, username, password, once, ...fields }: NewRegistryAuth,
): Promise<RegistryAuth> {
  const id = ids.short(25);
  const credentials = vault.seal(JSON.stringify({ username, password }), credentialsOwner(id));
  const registry = host === undefined ? null : registryName(host);
  const auth = { ...fields, id, labels, credentials, registry, createdAt: clock.now() };
  return createOnceIn({ store, once, now: auth.createdAt }, () => addRegistryAuth(auth));
}
