// Someone signs in with a key. The browser gets a secret of its own, that ends by itself.

import type { Clock } from "../../base/clock.ts";
import { hashSecret, type Ids } from "../../base/ids.ts";
import { covers } from "../../domain/access.ts";
import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { LONGEST_AGENT, type Session } from "../../domain/session.ts";
import { keyByHash } from "../../store/account/account.ts";
import { insertSession } from "../../store/session/session.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";

export interface SignInDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  protocol: Protocol;
}

export interface SignedIn {
  session: Session;
  key: ApiKey;
  /** What the browser shows from now on; it is kept nowhere else. */
  secret: string;
}

export async function signIn(
  { store, clock, ids, protocol }: SignInDeps,
  { key: given, agent }: { key: string; agent: string },
): Promise<SignedIn> {
  const now = clock.now();
  const secret = ids.secret("fhs_");
  const wanted = {
    id: ids.short(14),
    agent: agent.slice(0, LONGEST_AGENT),
    createdAt: now,
    expiresAt: now + protocol.sessionMs,
  };
  const made = await store.write(begin, hashSecret(given.trim()), wanted, hashSecret(secret));
  if (made instanceof Fault) throw made;
  return { ...made, secret };
}

function* begin(
  keyHash: string,
  wanted: Omit<Session, "accountId" | "keyId">,
  hash: string,
): Verb<{ session: Session; key: ApiKey } | Fault> {
  const key = yield* keyByHash(keyHash);
  if (!key) return new Fault("unauthorized");
  if (!covers(key.permissions.rest, "read")) {
    const detail = "The console takes a key with read permission for the rest interface.";
    return new Fault("forbidden", { detail });
  }
  const session = { ...wanted, accountId: key.accountId, keyId: key.id };
  yield* insertSession(session, hash);
  return { session, key };
}
