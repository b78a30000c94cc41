// The table `session`. The token that a browser holds is not stored, only its SHA-256.

import type { Session } from "../../domain/session.ts";
import { topic } from "../engine/notifier.ts";
import { columnList } from "../engine/row/column-list.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

interface Row {
  id: string;
  account_id: string;
  key_id: string;
  agent: string;
  address: string;
  created_at: number;
  expires_at: number;
  by_reset: number;
}

const COLUMNS = columnList<Row>()(
  "id",
  "account_id",
  "key_id",
  "agent",
  "address",
  "created_at",
  "expires_at",
  "by_reset",
);

export function* insertSession(session: Session, hash: string): Tx<void> {
  yield* change(
    `insert into session (id, account_id, key_id, hash, agent, address, created_at, expires_at, by_reset)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    session.id,
    session.accountId,
    session.keyId,
    hash,
    session.agent,
    session.address,
    session.createdAt,
    session.expiresAt,
    session.byReset ? 1 : 0,
  );
  yield* notify(topic.changed(session.accountId, "session", session.id));
}

export function* findSession(hash: string): Tx<Session | undefined> {
  const found = yield* row<Row>(`select ${COLUMNS} from session where hash = ?`, hash);
  return found && sessionFrom(found);
}

/** An account's sessions that have not expired, the latest first. */
export function* listSessions(accountId: string, now: number): Tx<Session[]> {
  const found = yield* rows<Row>(
    `select ${COLUMNS} from session where account_id = ? and expires_at > ? order by created_at desc, id`,
    accountId,
    now,
  );
  return found.map(sessionFrom);
}

export function* deleteSession({ id, accountId }: Session): Tx<void> {
  yield* change("delete from session where id = ?", id);
  yield* notify(topic.authCache);
  yield* notify(topic.changed(accountId, "session", id));
}

/** Ends the sessions of a member's keys but for one. */
export function* deleteSessionsOf(
  memberId: string,
  accountId: string,
  exceptId: string | null,
): Tx<void> {
  yield* change(
    "delete from session where id <> ? and key_id in (select id from api_key where member_id = ?)",
    exceptId ?? "",
    memberId,
  );
  yield* notify(topic.authCache);
  yield* notify(topic.changed(accountId, "session", memberId));
}

/** From now on, its member changes the password with the current one. */
export function* endResetRight(id: string): Tx<void> {
  yield* change("update session set by_reset = 0 where id = ?", id);
  yield* notify(topic.authCache);
}

/** Deletes sessions that expired before an instant. */
export function* forgetSessions(before: number): Tx<void> {
  yield* change("delete from session where expires_at < ?", before);
}

function sessionFrom(found: Row): Session {
  return {
    id: found.id,
    accountId: found.account_id,
    keyId: found.key_id,
    agent: found.agent,
    address: found.address,
    createdAt: found.created_at,
    expiresAt: found.expires_at,
    ...(Number(found.by_reset) === 1 && { byReset: true }),
  };
}
