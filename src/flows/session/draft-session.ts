// A session that is not stored yet, with its secret.

import { hashSecret, type Ids } from "../../base/ids.ts";
import { boundSecret, LONGEST_AGENT, type Session } from "../../domain/session.ts";

/** The browser that signs in. */
export interface SessionSource {
  agent: string;
  address: string;
  /** The network that alone may use the session; null for any. */
  network: string | null;
}

export interface DraftSession {
  session: Omit<Session, "accountId" | "keyId">;
  /** The hash of the secret, which alone is stored. */
  hash: string;
  secret: string;
}

export function draftSession(
  ids: Ids,
  { agent, address, network }: SessionSource,
  now: number,
  lifetimeMs: number,
): DraftSession {
  const secret = ids.secret("fhs_");
  const session = {
    id: ids.short(14),
    agent: agent.slice(0, LONGEST_AGENT),
    address,
    createdAt: now,
    expiresAt: now + lifetimeMs,
  };
  return { session, hash: hashSecret(boundSecret(secret, network)), secret };
}
