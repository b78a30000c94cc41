// The table `provider_identity`: the member that a person of the sign-in provider is in an account.

import type { SignIn } from "../../domain/sign-in/sign-in.ts";
import { change, row, type Tx } from "../engine/statement.ts";

export type Identity = Pick<SignIn, "issuer" | "subject">;

/** The id of the member; it may have been removed. */
export function* findIdentity(
  { issuer, subject }: Identity,
  accountId: string,
): Tx<string | undefined> {
  const identity = yield* row<{ member_id: string }>(
    "select member_id from provider_identity where issuer = ? and subject = ? and account_id = ?",
    issuer,
    subject,
    accountId,
  );
  return identity?.member_id;
}

/** The account of the person's latest member that was not removed. */
export function* accountOfIdentity({ issuer, subject }: Identity): Tx<string | undefined> {
  const identity = yield* row<{ account_id: string }>(
    `select account_id from provider_identity where issuer = ? and subject = ?
     and exists (select 1 from member where member.id = member_id and removed_at is null)
     order by created_at desc, account_id limit 1`,
    issuer,
    subject,
  );
  return identity?.account_id;
}

/** Whether a person of the provider is the member. */
export function* hasIdentity(memberId: string): Tx<boolean> {
  const sql = "select member_id from provider_identity where member_id = ? limit 1";
  return (yield* row(sql, memberId)) !== undefined;
}

/** Whether a person of this provider is the member. */
export function* hasIdentityOf(memberId: string, issuer: string): Tx<boolean> {
  const sql = "select member_id from provider_identity where member_id = ? and issuer = ? limit 1";
  return (yield* row(sql, memberId, issuer)) !== undefined;
}

/** Replaces a member that was removed. */
export function* saveIdentity(
  { issuer, subject }: Identity,
  accountId: string,
  memberId: string,
  now: number,
): Tx<void> {
  yield* change(
    `insert into provider_identity (issuer, subject, account_id, member_id, created_at) values (?, ?, ?, ?, ?)
     on conflict (issuer, subject, account_id) do update set member_id = excluded.member_id, created_at = excluded.created_at`,
    issuer,
    subject,
    accountId,
    memberId,
    now,
  );
}
