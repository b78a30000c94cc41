// The table `quota`: the limits of an account, of its members by default, and of single members.

import type { Quota } from "../../domain/quota/quota.ts";
import { topic } from "../engine/notifier.ts";
import { change, notify, rows, type Tx } from "../engine/statement.ts";

/** A quota of an account: for all that it holds, for each member by default, or for one member. */
export type QuotaScope =
  | { scope: "account" | "members"; memberId?: undefined }
  | { scope: "member"; memberId: string };

export interface Quotas {
  account: Quota;
  /** For each member that has no limit of its own. */
  members: Quota;
  byMember: ReadonlyMap<string, Quota>;
}

interface Row {
  scope: QuotaScope["scope"];
  member_id: string;
  limits: string;
}

/** All quotas of an account; null if it has none. */
export function* quotasOf(accountId: string): Tx<Quotas | null> {
  const found = yield* rows<Row>(
    "select scope, member_id, limits from quota where account_id = ?",
    accountId,
  );
  if (found.length === 0) return null;
  const read = (scope: QuotaScope["scope"]) =>
    found
      .filter((each) => each.scope === scope)
      .map(({ member_id, limits }) => [member_id, JSON.parse(limits) as Quota] as const);
  const [account, members] = (["account", "members"] as const).map(
    (scope): Quota => read(scope)[0]?.[1] ?? {},
  );
  return { account: account!, members: members!, byMember: new Map(read("member")) };
}

/** The account must be held. */
export function* saveQuota(
  accountId: string,
  { scope, memberId = "" }: QuotaScope,
  quota: Quota,
): Tx<void> {
  yield* change(
    `insert into quota (account_id, scope, member_id, limits) values (?, ?, ?, ?)
     on conflict (account_id, scope, member_id) do update set limits = excluded.limits`,
    accountId,
    scope,
    memberId,
    JSON.stringify(quota),
  );
  // Workers that waited for room may start.
  yield* notify(topic.fleet);
  yield* notify(topic.changed(accountId, "quota", accountId));
}
