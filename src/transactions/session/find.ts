// Sessions with the API keys that they stand for. A session ends with its key.

import type { ApiKey } from "../../domain/account.ts";
import type { Session } from "../../domain/session.ts";
import { findActiveKey, listKeys } from "../../store/api-key/api-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findSession, listSessions } from "../../store/session/session.ts";

export interface KeyedSession {
  session: Session;
  key: ApiKey;
}

/** The session with this hash, if its key is active. */
export function* findKeyedSession(hash: string): Tx<KeyedSession | undefined> {
  const session = yield* findSession(hash);
  if (!session) return undefined;
  const key = yield* findActiveKey(session.keyId);
  return key && { session, key };
}

/** An account's sessions that have not expired and whose keys are active; the latest first. */
export function* listKeyedSessions(accountId: string, now: number): Tx<KeyedSession[]> {
  const sessions = yield* listSessions(accountId, now);
  const keys = (yield* listKeys(accountId)).filter(({ disabledAt }) => disabledAt === null);
  const byId = new Map(keys.map((key) => [key.id, key]));
  return sessions.flatMap((session) => {
    const key = byId.get(session.keyId);
    return key ? [{ session, key }] : [];
  });
}
