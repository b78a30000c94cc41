// Changes of S3 keys.

import { Fault } from "../../domain/fault.ts";
import type { S3Key } from "../../domain/s3/s3-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findVolume } from "../../store/network-volume/network-volume.ts";
import {
  insertS3Key,
  labelS3Key,
  recordS3KeyUses,
  revokeS3Key,
} from "../../store/s3-key/s3-key.ts";
import { requireRoom } from "../account/require-room.ts";

/** Returns a fault if the key names a volume that is not the account's. */
export function* createS3Key(key: S3Key): Tx<Fault | null> {
  for (const id of key.volumeIds ?? []) {
    const volume = yield* findVolume(id);
    if (volume?.accountId === key.accountId) continue;
    const detail = `"volumeIds" must be ids of your network volumes; there is no "${id.slice(0, 80)}".`;
    return new Fault("invalid_body", { detail });
  }
  const refusal = yield* requireRoom("s3Key", key.accountId);
  if (refusal) return refusal;
  yield* insertS3Key(key);
  return null;
}

/** False if it is revoked. */
export function* saveS3KeyLabels(key: S3Key): Tx<boolean> {
  return yield* labelS3Key(key);
}

/** False if there is no such key. */
export function* deleteS3Key(id: string, accountId: string, now: number): Tx<boolean> {
  return yield* revokeS3Key(id, accountId, now);
}

export function* recordS3KeyUse(lastAt: ReadonlyMap<string, number>): Tx<void> {
  yield* recordS3KeyUses(lastAt);
}
