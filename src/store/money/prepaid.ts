// Accounts that may only use what they have. The first one is metered and unlimited until the
// operator gives it credits; from then on its balance counts.

import { change, row, rows, type Verb } from "../statement.ts";
import { standingOf } from "./books.ts";

export interface Prepaid {
  accountId: string;
  /** Since when it has nothing left; null while it has. */
  emptySince: number | null;
  /** Since when what it has lasts for a short while only; null while it lasts longer. */
  lowSince: number | null;
}

const columns = `id as "accountId", empty_since as "emptySince", low_since as "lowSince"`;

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

/** Notes that it ran out or runs low, or that it does not any more; false where that is noted already. */
export function* noteSince(
  what: "empty" | "low",
  accountId: string,
  since: number | null,
): Verb<boolean> {
  const [column, other] = [`${what}_since`, since === null ? "is not null" : "is null"];
  const changed = yield* change(
    `update account set ${column} = ? where id = ? and ${column} ${other}`,
    since,
    accountId,
  );
  return changed > 0;
}

/** Micro-dollars missing to an hour of all that runs and of what is to be added; 0 where none are. */
export function* missingForAnHour(accountId: string, rate: number, now: number): Verb<number> {
  if (!(yield* prepaid(accountId))) return 0;
  const { balance, perHour } = yield* standingOf(accountId, now);
  return Math.max(0, perHour + rate - balance);
}
