// Signing in with a key. The browser gets a session secret that expires.

import type { Clock } from "../../base/clock.ts";
import { hashSecret, type Ids } from "../../base/ids.ts";
import type { ApiKey } from "../../domain/account.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { LONGEST_AGENT, type Session } from "../../domain/session.ts";
import type { Store } from "../../store/engine/store.ts";
import { beginSession } from "../../transactions/session/begin.ts";
import { throwRefusal } from "../throw-refusal.ts";

export interface SignInDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  protocol: Protocol;
}

export interface SignedIn {
  session: Session;
  key: ApiKey;
  /** The session's secret; only its hash is stored. */
  secret: string;
}

export async function signIn(
  { store, clock, ids, protocol }: SignInDeps,
  { key: keyText, agent, address }: { key: string; agent: string; address: string },
): Promise<SignedIn> {
  const now = clock.now();
  const secret = ids.secret("fhs_");
  const fields = {
    id: ids.short(14),
    agent: agent.slice(0, LONGEST_AGENT),
    createdAt: now,
    expiresAt: now + protocol.sessionMs,
  };
  const result = await throwRefusal(
    store.write(beginSession, hashSecret(keyText.trim()), fields, hashSecret(secret), address),
  );
  return { ...result, secret };
}
