// Signing in with a key. The browser gets a session secret that expires.

import { hashSecret } from "../../base/ids.ts";
import type { ApiKey } from "../../domain/account.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { boundSecret, LONGEST_AGENT, type Session } from "../../domain/session.ts";
import { beginSession } from "../../transactions/session/begin.ts";
import type { FlowDeps } from "../flow-deps.ts";
import { throwRefusal } from "../throw-refusal.ts";

export interface SignInDeps extends FlowDeps {
  protocol: Protocol;
}

export interface SignInRequest {
  key: string;
  agent: string;
  address: string;
  /** The network that alone may use the session; null for any. */
  network: string | null;
}

export interface SignedIn {
  session: Session;
  key: ApiKey;
  /** The session's secret; only its hash is stored. */
  secret: string;
}

export async function signIn(
  { store, clock, ids, protocol }: SignInDeps,
  { key: keyText, agent, address, network }: SignInRequest,
): Promise<SignedIn> {
  const now = clock.now();
  const secret = ids.secret("fhs_");
  const fields = {
    id: ids.short(14),
    agent: agent.slice(0, LONGEST_AGENT),
    address,
    createdAt: now,
    expiresAt: now + protocol.sessionMs,
  };
  const hash = hashSecret(boundSecret(secret, network));
  const result = await throwRefusal(
    store.write(beginSession, hashSecret(keyText.trim()), fields, hash),
  );
  return { ...result, secret };
}
