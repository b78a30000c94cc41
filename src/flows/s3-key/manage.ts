// The S3 keys that an API key can see, label and revoke: all keys of the account, or a member's own keys.

import type { Clock } from "../../base/clock.ts";
import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { mayManage } from "../../domain/key-access.ts";
import type { Labels } from "../../domain/label/labels.ts";
import type { S3Key } from "../../domain/s3/s3-key.ts";
import type { Store } from "../../store/engine/store.ts";
import { findS3Key, listS3Keys } from "../../store/s3-key/s3-key.ts";
import { deleteS3Key, saveS3KeyLabels } from "../../transactions/s3/key.ts";

export async function s3KeysOf({ store }: { store: Store }, by: ApiKey): Promise<S3Key[]> {
  const all = await store.read(listS3Keys, by.accountId);
  return all.filter((key) => mayManage(by, key));
}

export async function s3KeyOf({ store }: { store: Store }, by: ApiKey, id: string): Promise<S3Key> {
  const key = await store.read(findS3Key, id, by.accountId);
  if (!key || !mayManage(by, key)) throw new Fault("s3_key_not_found", { id });
  return key;
}

export async function labelS3KeyOf(
  deps: { store: Store },
  by: ApiKey,
  id: string,
  labels: Labels | undefined,
): Promise<S3Key> {
  const before = await s3KeyOf(deps, by, id);
  // What was read before the commit is not written: another request may have changed it since.
  if (labels === undefined) return before;
  const key = { ...before, labels };
  if (await deps.store.write(saveS3KeyLabels, key)) return key;
  throw new Fault("s3_key_not_found", { id });
}

export async function revokeS3KeyOf(
  deps: { store: Store; clock: Clock },
  by: ApiKey,
  id: string,
): Promise<void> {
  await s3KeyOf(deps, by, id);
  if (await deps.store.write(deleteS3Key, id, by.accountId, deps.clock.now())) return;
  throw new Fault("s3_key_not_found", { id });
}
