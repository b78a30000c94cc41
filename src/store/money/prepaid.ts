// Accounts that may only use what they have. The first one is metered and unlimited until the
// operator gives it credits; from then on its balance counts.

import { change, row, rows, type Verb } from "../statement.ts";
import { standingOf } from "./books.ts";

export interface Prepaid {
  accountId: string;
  /** Since when it has nothing left; null while it has. */
  emptySince: number | null;
}

const columns = `id as "accountId", empty_since as "emptySince"`;

export function* prepaidAccounts(): Verb<Prepaid[]> {
  return yield* rows<Prepaid>(`select ${columns} from account where prepaid = 1 order by id`);
}

/** Null where the account is unlimited. */
export function* prepaid(accountId: string): Verb<Prepaid | null> {
  const found = yield* row<Prepaid>(
    `select ${columns} from account where id = ? and prepaid = 1`,
    accountId,
  );
  return found ?? null;
}

export function* limitToBalance(accountId: string): Verb<void> {
  yield* change("update account set prepaid = 1 where id = ?", accountId);
}

/** Notes that it ran out, at the first time, or that it has money again. */
export function* noteEmpty(accountId: string, since: number | null): Verb<void> {
  const to = since === null ? "null" : "coalesce(empty_since, cast(? as bigint))";
  const params = since === null ? [] : [since];
  yield* change(`update account set empty_since = ${to} where id = ?`, ...params, accountId);
}

/** Micro-dollars missing to an hour of all that runs and of what is to be added; 0 where none are. */
export function* missingForAnHour(accountId: string, rate: number, now: number): Verb<number> {
  if (!(yield* prepaid(accountId))) return 0;
  const { balance, perHour } = yield* standingOf(accountId, now);
  return Math.max(0, perHour + rate - balance);
}
