// The table `sign_in`.

import type { SignIn } from "../../domain/sign-in/sign-in.ts";
import { topic } from "../engine/notifier.ts";
import { columnList } from "../engine/row/column-list.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

interface Row {
  id: string;
  account_id: string;
  member_id: string;
  key_id: string;
  issuer: string;
  subject: string;
  provider_session: string | null;
  refresh_token: string | null;
  created_at: number;
  next_check_at: number;
}

const COLUMNS = columnList<Row>()(
  "id",
  "account_id",
  "member_id",
  "key_id",
  "issuer",
  "subject",
  "provider_session",
  "refresh_token",
  "created_at",
  "next_check_at",
);

export function* insertSignIn(signIn: SignIn): Tx<void> {
  yield* change(
    `insert into sign_in (id, account_id, member_id, key_id, issuer, subject, provider_session, refresh_token,
       created_at, next_check_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    signIn.id,
    signIn.accountId,
    signIn.memberId,
    signIn.keyId,
    signIn.issuer,
    signIn.subject,
    signIn.session,
    signIn.refreshToken,
    signIn.createdAt,
    signIn.nextCheckAt,
  );
  yield* notify(topic.signIns);
}

/** The sign-ins whose check is due, the longest first. */
export function* dueSignIns(now: number, limit: number): Tx<SignIn[]> {
  const due = yield* rows<Row>(
    `select ${COLUMNS} from sign_in where next_check_at <= ? order by next_check_at, id limit ?`,
    now,
    limit,
  );
  return due.map(fromRow);
}

/** Null if there is no sign-in. */
export function* nextSignInCheck(): Tx<number | null> {
  const next = yield* row<{ at: number | null }>("select min(next_check_at) as at from sign_in");
  return next?.at ?? null;
}

/** Locked until the transaction commits. */
export function* lockSignIn(id: string): Tx<SignIn | undefined> {
  const signIn = yield* row<Row>(
    `select ${COLUMNS} from sign_in where id = ? /*+ for update */`,
    id,
  );
  return signIn && fromRow(signIn);
}

/** The sign-in that a key depends on, locked until the transaction commits. */
export function* lockSignInOfKey(keyId: string): Tx<SignIn | undefined> {
  const signIn = yield* row<Row>(
    `select ${COLUMNS} from sign_in where id = (select sign_in_id from api_key where id = ?) /*+ for update */`,
    keyId,
  );
  return signIn && fromRow(signIn);
}

/** The sign-ins of a person in other accounts than this one. */
export function* signInsElsewhere(
  { issuer, subject }: Pick<SignIn, "issuer" | "subject">,
  accountId: string,
): Tx<SignIn[]> {
  const others = yield* rows<Row>(
    `select ${COLUMNS} from sign_in where issuer = ? and subject = ? and account_id <> ? order by id`,
    issuer,
    subject,
    accountId,
  );
  return others.map(fromRow);
}

/** Sessions at the provider: one of them, or all of a person's. */
export interface ProviderSessions {
  issuer: string;
  /** Null if only the session is known. */
  subject: string | null;
  /** Null for all of the person's. */
  session: string | null;
}

/** A sign-in for which the provider named no session belongs to each of the person's. */
export function* signInsOf({ issuer, subject, session }: ProviderSessions): Tx<SignIn[]> {
  const select = `select ${COLUMNS} from sign_in where issuer = ?`;
  const signIns =
    subject === null
      ? yield* rows<Row>(`${select} and provider_session = ? order by id`, issuer, session)
      : yield* rows<Row>(`${select} and subject = ? order by id`, issuer, subject);
  return signIns
    .map(fromRow)
    .filter((each) => session === null || each.session === null || each.session === session);
}

export function* rescheduleSignIn(id: string, nextCheckAt: number): Tx<void> {
  yield* change("update sign_in set next_check_at = ? where id = ?", nextCheckAt, id);
}

/** A session of null stays as it was: the provider did not name it again. */
export function* confirmSignIn({
  id,
  session,
  refreshToken,
  nextCheckAt,
}: Pick<SignIn, "id" | "session" | "refreshToken" | "nextCheckAt">): Tx<void> {
  yield* change(
    "update sign_in set provider_session = coalesce(?, provider_session), refresh_token = ?, next_check_at = ? where id = ?",
    session,
    refreshToken,
    nextCheckAt,
    id,
  );
}

export function* deleteSignIn(id: string): Tx<void> {
  yield* change("delete from sign_in where id = ?", id);
}

/** Whether an active key other than the session's depends on the sign-in, or a session that has not expired has its key. */
export function* isSignInInUse({ id, keyId }: SignIn, now: number): Tx<boolean> {
  const user = yield* row(
    `select id from api_key where sign_in_id = ? and revoked_at is null and (
       id <> ? or exists (select 1 from session where session.key_id = api_key.id and session.expires_at > ?)
     ) limit 1`,
    id,
    keyId,
    now,
  );
  return user !== undefined;
}

export function* hasSignIn(memberId: string): Tx<boolean> {
  const sql = "select id from sign_in where member_id = ? limit 1";
  return (yield* row(sql, memberId)) !== undefined;
}

/** The sign-ins of a member but for the latest ones. */
export function* earlierSignIns(memberId: string, latest: number): Tx<SignIn[]> {
  const all = yield* rows<Row>(
    `select ${COLUMNS} from sign_in where member_id = ? order by created_at desc, id`,
    memberId,
  );
  return all.slice(latest).map(fromRow);
}

function fromRow(signIn: Row): SignIn {
  return {
    id: signIn.id,
    accountId: signIn.account_id,
    memberId: signIn.member_id,
    keyId: signIn.key_id,
    issuer: signIn.issuer,
    subject: signIn.subject,
    session: signIn.provider_session,
    refreshToken: signIn.refresh_token,
    createdAt: signIn.created_at,
    nextCheckAt: signIn.next_check_at,
  };
}
