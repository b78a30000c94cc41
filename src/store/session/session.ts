// Sessions in the store. What a browser holds is never kept, only its SHA-256.

import type { ApiKey } from "../../domain/account.ts";
import type { Session } from "../../domain/session.ts";
import { listKeys, openKey } from "../account/account.ts";
import { change, ring, row, rows, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";

interface Row {
  id: string;
  account_id: string;
  key_id: string;
  agent: string;
  created_at: number;
  expires_at: number;
}

export function* insertSession(session: Session, hash: string): Verb<void> {
  yield* change(
    `insert into session (id, account_id, key_id, hash, agent, created_at, expires_at)
     values (?, ?, ?, ?, ?, ?, ?)`,
    session.id,
    session.accountId,
    session.keyId,
    hash,
    session.agent,
    session.createdAt,
    session.expiresAt,
  );
  yield* ring(topic.changed(session.accountId, "session", session.id));
}

export interface KeyedSession {
  session: Session;
  key: ApiKey;
}

/** The session with this hash and its key, if that opens anything. */
export function* sessionByHash(hash: string): Verb<KeyedSession | undefined> {
  const found = yield* row<Row>("select * from session where hash = ?", hash);
  if (!found) return undefined;
  const key = yield* openKey(found.key_id);
  return key && { session: fromRow(found), key };
}

/** Those that have not ended, each with its key; the latest first. */
export function* listSessions(accountId: string, now: number): Verb<KeyedSession[]> {
  const found = yield* rows<Row>(
    "select * from session where account_id = ? and expires_at > ? order by created_at desc, id",
    accountId,
    now,
  );
  const keys = (yield* listKeys(accountId)).filter(({ disabledAt }) => disabledAt === null);
  const byId = new Map(keys.map((key) => [key.id, key]));
  return found.flatMap((each) => {
    const key = byId.get(each.key_id);
    return key ? [{ session: fromRow(each), key }] : [];
  });
}

export function* deleteSession({ id, accountId }: Session): Verb<void> {
  yield* change("delete from session where id = ?", id);
  yield* ring(topic.directory);
  yield* ring(topic.changed(accountId, "session", id));
}

/** Forgets those that ended before an instant. */
export function* forgetSessions(before: number): Verb<void> {
  yield* change("delete from session where expires_at < ?", before);
}

function fromRow(found: Row): Session {
  return {
    id: found.id,
    accountId: found.account_id,
    keyId: found.key_id,
    agent: found.agent,
    createdAt: found.created_at,
    expiresAt: found.expires_at,
  };
}
