// The exemptions of an account, a list in its row: every read of a Pod looks at it.

import type { Exemption } from "../../domain/usage/exemption.ts";
import { topic } from "../engine/notifier.ts";
import { exemptionsFrom } from "../engine/row/exemptions.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

/** The oldest first. */
export function* exemptionsOf(accountId: string): Tx<Exemption[]> {
  return exemptionsFrom(yield* exemptionsText(accountId, ""));
}

/** Locks the account until the surrounding transaction ends. */
export function* lockExemptions(accountId: string): Tx<Exemption[]> {
  return exemptionsFrom(yield* exemptionsText(accountId, "/*+ for update */"));
}

function* exemptionsText(accountId: string, hint: string): Tx<string | null> {
  const account = yield* row<{ exemptions: string | null }>(
    `select exemptions from account where id = ? ${hint}`,
    accountId,
  );
  return account?.exemptions ?? null;
}

/** The account must be locked. */
export function* saveExemptions(accountId: string, all: readonly Exemption[]): Tx<void> {
  const before = yield* exemptionsOf(accountId);
  const ends = all.map(({ until }) => until).filter((until) => until !== null);
  yield* change(
    "update account set exemptions = ?, exemptions_end = ? where id = ?",
    all.length === 0 ? null : JSON.stringify(all),
    ends.length === 0 ? null : Math.min(...ends),
    accountId,
  );
  yield* notify(topic.pods);
  yield* notify(topic.changed(accountId, "quota", accountId));
  for (const { kind, target } of [...before, ...all])
    if (kind === "pod") yield* notify(topic.changed(accountId, "pod", target));
}

/** The accounts with exemptions that have ended, and when the next one ends. */
export function* endedExemptions(now: number): Tx<{ accountIds: string[]; nextAt: number | null }> {
  const accounts = yield* rows<{ id: string }>(
    "select id from account where exemptions_end <= ? order by id",
    now,
  );
  const next = yield* row<{ at: number | null }>(
    "select min(exemptions_end) as at from account where exemptions_end > ?",
    now,
  );
  return { accountIds: accounts.map(({ id }) => id), nextAt: next?.at ?? null };
}
