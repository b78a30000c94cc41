// The tables `totp` and `recovery_code`: a member's one-time codes.

import type { Totp } from "../../domain/password/totp.ts";
import { topic } from "../engine/notifier.ts";
import { change, notify, row, type Tx } from "../engine/statement.ts";

export function* findTotp(memberId: string): Tx<Totp | undefined> {
  return yield* row<Totp>(
    `select member_id as "memberId", account_id as "accountId", secret, last_step as "lastStep",
       confirmed_at as "confirmedAt" from totp where member_id = ?`,
    memberId,
  );
}

/** Replaces one that waits for its first code. False if one is confirmed. */
export function* beginTotp({ memberId, accountId, secret }: Totp): Tx<boolean> {
  const saved = yield* change(
    `insert into totp (member_id, account_id, secret, last_step) values (?, ?, ?, 0)
     on conflict (member_id) do update set secret = excluded.secret, last_step = 0 where totp.confirmed_at is null`,
    memberId,
    accountId,
    secret,
  );
  return saved > 0;
}

/** Takes the code of a time step. False if it, or a later one, was used before, or if the secret was replaced. */
export function* useStep({ memberId, secret }: Totp, step: number): Tx<boolean> {
  const used = yield* change(
    "update totp set last_step = ? where member_id = ? and secret = ? and last_step < ?",
    step,
    memberId,
    secret,
    step,
  );
  return used > 0;
}

export function* confirmTotp({ memberId, accountId }: Totp, now: number): Tx<void> {
  yield* change("update totp set confirmed_at = ? where member_id = ?", now, memberId);
  yield* notify(topic.changed(accountId, "session", memberId));
}

/** With its recovery codes. */
export function* deleteTotp(memberId: string, accountId: string): Tx<void> {
  yield* change("delete from recovery_code where member_id = ?", memberId);
  yield* change("delete from totp where member_id = ?", memberId);
  yield* notify(topic.changed(accountId, "session", memberId));
}

export function* insertRecoveryCodes(
  { memberId, accountId }: Pick<Totp, "memberId" | "accountId">,
  hashes: readonly string[],
): Tx<void> {
  for (const hash of hashes) {
    const sql = "insert into recovery_code (member_id, account_id, hash) values (?, ?, ?)";
    yield* change(sql, memberId, accountId, hash);
  }
}

/** False if the member has no such code, or has used it. */
export function* spendRecoveryCode(memberId: string, hash: string): Tx<boolean> {
  const sql = "delete from recovery_code where member_id = ? and hash = ?";
  return (yield* change(sql, memberId, hash)) > 0;
}
