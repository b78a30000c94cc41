// Creating an S3 key. Its secret is returned once and stored sealed.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Vault } from "../../base/vault.ts";
import type { ApiKey } from "../../domain/account.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import { type Labels, noLabels } from "../../domain/label/labels.ts";
import { type S3Key, secretOwner } from "../../domain/s3/s3-key.ts";
import type { Store } from "../../store/engine/store.ts";
import { createS3Key } from "../../transactions/s3/key.ts";
import { createOnceIn, ofCaller } from "../create-once.ts";

export interface NewS3Key {
  by: ApiKey;
  name: string;
  labels?: Labels;
  access?: S3Key["access"];
  volumeIds?: string[] | null;
  once: IdempotencyKey | null;
}

export async function createS3KeyFor(
  { store, clock, ids, vault }: { store: Store; clock: Clock; ids: Ids; vault: Vault },
  { by, name, labels = noLabels, access = "write", volumeIds = null, once }: NewS3Key,
): Promise<{ key: S3Key; secret: string }> {
  const id = `FH${ids.short(18).toUpperCase()}`;
  const secret = `rps_${ids.short(40)}`;
  const key: S3Key = {
    id,
    accountId: by.accountId,
    member: by.member,
    name,
    labels,
    secret: vault.seal(secret, secretOwner(id)),
    access,
    volumeIds,
    createdAt: clock.now(),
    lastUsedAt: null,
  };
  const created = await createOnceIn(
    { store, once: ofCaller(once), now: key.createdAt },
    function* () {
      const refusal = yield* createS3Key(key);
      return refusal ?? key;
    },
  );
  return { key: created, secret: vault.open(created.secret, secretOwner(created.id)) };
}
