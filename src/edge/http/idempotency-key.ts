// The Idempotency-Key of a request that creates something.

import { createHash } from "node:crypto";
import type { Vault } from "../../base/vault.ts";
import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import { limitedMember } from "../../flows/member/ownership.ts";
import type { RouteRequest } from "./request/route.ts";

const MAX_KEY_LENGTH = 255;

/** Calls `body` only if there is a key, because the digest takes time. */
export function readIdempotencyKey(
  vault: Pick<Vault, "digest">,
  request: RouteRequest,
  body: () => Buffer | string,
): IdempotencyKey | null {
  const key = request.headers["idempotency-key"];
  if (key === undefined || request.principal?.kind !== "account") return null;
  if (Array.isArray(key) || key.length === 0 || key.length > MAX_KEY_LENGTH) {
    throw new Fault("invalid_query", {
      detail: `The Idempotency-Key header must have 1 to ${MAX_KEY_LENGTH} characters.`,
    });
  }
  const digest = createHash("sha256").update(`${request.method} ${request.url}\n`).update(body());
  // A member who sees only their own does not get what another key created.
  const member = limitedMember(request.principal.key);
  if (member) digest.update(`\n${member.id}`);
  const plainFingerprint = digest.digest("hex");
  const fingerprint = vault.digest(plainFingerprint);
  const { accountId, id: callerKeyId } = request.principal.key;
  return { accountId, key, fingerprint, plainFingerprint, callerKeyId };
}
