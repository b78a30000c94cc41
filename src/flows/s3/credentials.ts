// The secrets that can sign for an access key id.

import { UnsealError } from "../../base/vault.ts";
import { type S3Key, secretOwner } from "../../domain/s3/s3-key.ts";
import { usableS3Keys } from "../../store/s3-key/s3-key.ts";
import type { S3Deps } from "./s3-deps.ts";

export interface Credential {
  key: S3Key;
  secret: string;
}

/** Several if it is an account's id; none if it is unknown or revoked. */
export async function credentialsOf(
  { store, vault }: Pick<S3Deps, "store" | "vault">,
  accessKeyId: string,
): Promise<Credential[]> {
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
