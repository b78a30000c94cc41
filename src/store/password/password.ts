// The table `password`.

import type { Password } from "../../domain/password/password.ts";
import { topic } from "../engine/notifier.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

const COLUMNS = `password.member_id as "memberId", password.account_id as "accountId", password.hash as "hash",
  password.key_id as "keyId", password.set_at as "setAt"`;

export function* findPassword(memberId: string): Tx<Password | undefined> {
  return yield* row<Password>(`select ${COLUMNS} from password where member_id = ?`, memberId);
}

/** A password that may sign in, with the account's name. */
export interface PasswordCandidate extends Password {
  accountName: string;
}

/** The most accounts whose passwords one try is compared with. */
const MAX_CANDIDATES = 20;

/** The passwords of members with this address, in accounts that are not disabled. */
export function* passwordsAt(email: string): Tx<PasswordCandidate[]> {
  return yield* rows<PasswordCandidate>(
    `select ${COLUMNS}, account.name as "accountName" from password
     join member on member.id = password.member_id
     join account on account.id = password.account_id
     where member.email = ? and member.removed_at is null and account.disabled_at is null
     order by password.member_id limit ${MAX_CANDIDATES}`,
    email,
  );
}

export function* savePassword({ memberId, accountId, hash, keyId, setAt }: Password): Tx<void> {
  yield* change(
    `insert into password (member_id, account_id, hash, key_id, set_at) values (?, ?, ?, ?, ?)
     on conflict (member_id) do update set hash = excluded.hash, key_id = excluded.key_id, set_at = excluded.set_at`,
    memberId,
    accountId,
    hash,
    keyId,
    setAt,
  );
  yield* notify(topic.changed(accountId, "session", memberId));
}

/** False if there was none. */
export function* deletePassword(memberId: string, accountId: string): Tx<boolean> {
  const isDeleted = (yield* change("delete from password where member_id = ?", memberId)) > 0;
  if (isDeleted) yield* notify(topic.changed(accountId, "session", memberId));
  return isDeleted;
}
