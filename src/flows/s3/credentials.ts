// The secrets that can sign for an access key id.

import { UnsealError } from "../../base/vault.ts";
import { S3Error } from "../../domain/s3/s3-error.ts";
import { isUnchanged, type S3Key, secretOwner } from "../../domain/s3/s3-key.ts";
import { usableS3Keys } from "../../store/s3-key/s3-key.ts";
import type { S3Deps } from "./s3-deps.ts";

export interface S3Credential {
  key: S3Key;
  secret: string;
}

/** The key once more, after a body was received; throws if it was revoked or its member's role has changed. */
export async function requireUnchanged(
  { store }: Pick<S3Deps, "store">,
  key: S3Key,
): Promise<void> {
  const [current] = await store.read(usableS3Keys, key.id);
  if (!isUnchanged(key, current)) throw lostAccess(key);
}

export function lostAccess({ id }: S3Key): S3Error {
  const detail = `The key ${id} lost access while the body was sent; nothing was stored.`;
  return new S3Error("AccessDenied", { detail });
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
