// The table `password_reset`: one link for a member. Its token is stored as its SHA-256.

import type { PasswordReset } from "../../domain/password/password.ts";
import { change, row, type Tx } from "../engine/statement.ts";

/** Replaces an earlier one of the member. */
export function* saveReset(reset: PasswordReset, hash: string): Tx<void> {
  yield* change(
    `insert into password_reset (member_id, account_id, hash, remove_totp, expires_at) values (?, ?, ?, ?, ?)
     on conflict (member_id) do update set hash = excluded.hash, remove_totp = excluded.remove_totp,
       expires_at = excluded.expires_at`,
    reset.memberId,
    reset.accountId,
    hash,
    reset.removeTotp ? 1 : 0,
    reset.expiresAt,
  );
}

interface Row {
  memberId: string;
  accountId: string;
  removeTotp: number;
  expiresAt: number;
}

export function* findReset(hash: string, now: number): Tx<PasswordReset | undefined> {
  const reset = yield* row<Row>(
    `select member_id as "memberId", account_id as "accountId", remove_totp as "removeTotp", expires_at as "expiresAt"
     from password_reset where hash = ? and expires_at > ?`,
    hash,
    now,
  );
  return reset && { ...reset, removeTotp: Number(reset.removeTotp) === 1 };
}

/** False if it was used or replaced. */
export function* spendReset(hash: string): Tx<boolean> {
  return (yield* change("delete from password_reset where hash = ?", hash)) > 0;
}

export function* deleteResetOf(memberId: string): Tx<void> {
  yield* change("delete from password_reset where member_id = ?", memberId);
}

export function* forgetResets(before: number): Tx<void> {
  yield* change("delete from password_reset where expires_at < ?", before);
}
