// An Idempotency-Key of an account, with a digest of the request that used it.

export interface IdempotencyKey {
  accountId: string;
  key: string;
  /** A keyed digest of method, path and body: the same key with another one is a conflict. */
  fingerprint: string;
  /** The digest without a key, as earlier versions stored it. */
  plainFingerprint?: string;
  /** The API key of the caller. Only it gets an answer with a secret again. */
  callerKeyId: string;
}
