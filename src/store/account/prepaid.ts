// Prepaid accounts: accounts that are limited to their balance. The first account is metered and
// unlimited until the operator gives it credits.

import { change, row, rows, type Tx } from "../engine/statement.ts";

export interface Prepaid {
  accountId: string;
  /** When its balance was spent; null while it is not. */
  emptySince: number | null;
  /** When its balance became low; null while it is not. */
  lowSince: number | null;
}

const columns = `id as "accountId", empty_since as "emptySince", low_since as "lowSince"`;

export function* prepaidAccounts(): Tx<Prepaid[]> {
  return yield* rows<Prepaid>(`select ${columns} from account where prepaid = 1 order by id`);
}

/** Null if the account is not limited. */
export function* prepaid(accountId: string): Tx<Prepaid | null> {
  const found = yield* row<Prepaid>(
    `select ${columns} from account where id = ? and prepaid = 1`,
    accountId,
  );
  return found ?? null;
}

export function* setPrepaid(accountId: string): Tx<void> {
  yield* change("update account set prepaid = 1 where id = ?", accountId);
}

/**
 * Records when a balance became spent or low, or null if it is not; returns false if that is
 * recorded already.
 */
export function* setBalanceSince(
  what: "empty" | "low",
  accountId: string,
  since: number | null,
): Tx<boolean> {
  const [column, other] = [`${what}_since`, since === null ? "is not null" : "is null"];
  const changed = yield* change(
    `update account set ${column} = ? where id = ? and ${column} ${other}`,
    since,
    accountId,
  );
  return changed > 0;
}
