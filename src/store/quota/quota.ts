// The table `quota`: the limits of an account, of its members by default, of single members, and of projects.

import type { Quota } from "../../domain/quota/quota.ts";
import { topic } from "../engine/notifier.ts";
import { change, notify, rows, type Tx } from "../engine/statement.ts";

/** A quota of an account: for all that it holds, for each member by default, or for one member or project. */
export type QuotaScope =
  | { scope: "account" | "members"; holderId?: undefined }
  | { scope: "member" | "project"; holderId: string };

export interface Quotas {
  account: Quota;
  /** For each member that has no limit of its own. */
  members: Quota;
  byMember: ReadonlyMap<string, Quota>;
  byProject: ReadonlyMap<string, Quota>;
}

interface Row {
  scope: QuotaScope["scope"];
  holder_id: string;
  limits: string;
}

/** All quotas of an account; null if it has none. */
export function* quotasOf(accountId: string): Tx<Quotas | null> {
  const found = yield* rows<Row>(
    "select scope, holder_id, limits from quota where account_id = ?",
    accountId,
  );
  if (found.length === 0) return null;
  const read = (scope: QuotaScope["scope"]) =>
    found
      .filter((each) => each.scope === scope)
      .map(({ holder_id, limits }) => [holder_id, JSON.parse(limits) as Quota] as const);
  const [account, members] = (["account", "members"] as const).map(
    (scope): Quota => read(scope)[0]?.[1] ?? {},
  );
  const [byMember, byProject] = (["member", "project"] as const).map(
    (scope) => new Map(read(scope)),
  );
  return { account: account!, members: members!, byMember: byMember!, byProject: byProject! };
}

/** The account must be held. */
export function* saveQuota(
  accountId: string,
  { scope, holderId = "" }: QuotaScope,
  quota: Quota,
): Tx<void> {
  yield* change(
    `insert into quota (account_id, scope, holder_id, limits) values (?, ?, ?, ?)
     on conflict (account_id, scope, holder_id) do update set limits = excluded.limits`,
    accountId,
    scope,
    holderId,
    JSON.stringify(quota),
  );
  // Workers that waited for room may start.
  yield* notify(topic.fleet);
  yield* notify(topic.changed(accountId, "quota", accountId));
}

/** The account must be held. */
export function* deleteQuota(accountId: string, { scope, holderId = "" }: QuotaScope): Tx<void> {
  const which = "account_id = ? and scope = ? and holder_id = ?";
  yield* change(`delete from quota where ${which}`, accountId, scope, holderId);
}
