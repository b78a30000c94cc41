// The secrets that can sign for an access key id.

import { UnsealError } from "../../base/vault.ts";
import { S3Error } from "../../domain/s3/s3-error.ts";
import { isUnchanged, type S3Key, secretOwner } from "../../domain/s3/s3-key.ts";
import { topic } from "../../store/engine/notifier.ts";
import { usableS3Keys } from "../../store/s3-key/s3-key.ts";
import type { LastingAccess } from "../access-watch.ts";
import type { S3Deps } from "./s3-deps.ts";

export interface S3Credential {
  key: S3Key;
  secret: string;
}

/** The access of a key, which ends when it is revoked or its member's role changes. */
export function lastingS3Access({ store }: Pick<S3Deps, "store">, key: S3Key): LastingAccess {
  const { id, accountId, member } = key;
  return {
    onChange(listener) {
      const topics = [
        topic.changed(accountId, "key", id),
        topic.changed(accountId, "balance", accountId), // the account may be disabled
        ...(member ? [topic.changed(accountId, "member", member.id)] : []),
      ];
      return store.notifier.onAny(topics, listener);
    },
    async lasts() {
      const [current] = await store.read(usableS3Keys, id);
      return isUnchanged(key, current);
    },
  };
}

/** Before what was received or copied becomes an object: rejects if the key has lost access meanwhile. */
export async function requireLastingAccess({ id }: S3Key, access: LastingAccess): Promise<void> {
  if (await access.lasts()) return;
  const detail = `The key ${id} lost access during the request; nothing was stored.`;
  throw new S3Error("AccessDenied", { detail });
}

/** Several if it is an account's id; none if it is unknown or revoked. */
export async function credentialsOf(
  { store, vault }: Pick<S3Deps, "store" | "vault">,
  accessKeyId: string,
): Promise<S3Credential[]> {
  const keys = await store.read(usableS3Keys, accessKeyId);
  return keys.flatMap((key) => {
    try {
      return [{ key, secret: vault.open(key.secret, secretOwner(key.id)) }];
    } catch (error) {
      // Sealed with another secret key: the key is as good as revoked.
      if (error instanceof UnsealError) return [];
      throw error;
    }
  });
}
