// The Idempotency-Key of a request that creates something.

import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { Fault } from "../../domain/fault.ts";
import type { Once } from "../../store/idempotency.ts";

const LONGEST_KEY = 255;

/** `body` is called only where there is a key, for its digest costs time. */
export function onceOf(request: FastifyRequest, body: () => Buffer | string): Once | null {
  const key = request.headers["idempotency-key"];
  if (key === undefined || request.holder?.kind !== "account") return null;
  if (Array.isArray(key) || key.length === 0 || key.length > LONGEST_KEY) {
    throw new Fault("invalid_query", {
      detail: `The Idempotency-Key header takes 1 to ${LONGEST_KEY} characters.`,
    });
  }
  const digest = createHash("sha256").update(`${request.method} ${request.url}\n`).update(body());
  return {
    accountId: request.holder.key.accountId,
    key,
    fingerprint: digest.digest("hex"),
  };
}
