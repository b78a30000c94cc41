// What each group of an account's resources cost in a month, summed by the database: one statement reads the usages, so that
// all of them are of one moment.

import { DAY_MS } from "../../base/units.ts";
import { rows, type Tx, together } from "../engine/statement.ts";
import { inTime, paramsInTime } from "./history.ts";
import { OWED_FROM, owedAt } from "./owed.ts";
import type { UsageKind } from "./usage.ts";

/** What the costs of a month are grouped by, beside the kind. Labels are a JSON text. */
export type MonthSubject = "none" | "resource" | "owner" | "labels";

export interface MonthRequest {
  accountId: string;
  from: number;
  to: number;
  /** The length of a bucket: a day, or the month. */
  unitMs: number;
  subject: MonthSubject;
}

export interface GroupCost {
  /** The beginning of the bucket. */
  at: number;
  kind: UsageKind;
  subject: string | null;
  micros: number;
}

const listOf = (kinds: readonly UsageKind[]) => kinds.map((kind) => `'${kind}'`).join(", ");
const all: UsageKind[] = ["pod", "cluster", "sandbox", "worker", "volume"];

const usages = (column: string, kinds: readonly UsageKind[]) => {
  const part = (condition: string) =>
    `select kind, ${column} as subject, ${OWED_FROM}, metered_to from usage
     where account_id = ? and kind in (${listOf(kinds)}) and ${condition}`;
  return `
    with recursive bucket(since, until) as (
      select cast(? as bigint), cast(? as bigint)
      union all select until, until + cast(? as bigint) from bucket where until < ?),
    used as materialized (
      ${Object.values(inTime).map(part).join(" union all ")})
    select at, kind, subject, sum(${owedAt("until")} - ${owedAt("since")}) as micros from
      (select bucket.since as at, kind, subject, ${OWED_FROM},
         case when began_at > bucket.since then began_at else bucket.since end as since,
         case when metered_to < bucket.until then metered_to else bucket.until end as until
       from bucket join used on used.began_at < bucket.until and used.metered_to > bucket.since) as part
    group by at, kind, subject`;
};

const rollUps = (column: string, kinds: readonly UsageKind[]) => `
  select (at - cast(? as bigint)) / cast(? as bigint) as bucket, kind, ${column} as subject, sum(micros) as micros
  from spend_day where account_id = ? and kind in (${listOf(kinds)}) and at >= ? and at < ?
  group by 1, kind, subject`;

const statements: Record<MonthSubject, { usages?: string; rollUps?: string }> = {
  none: { rollUps: rollUps("''", all) },
  resource: {
    usages: usages("resource_id", ["pod", "sandbox", "volume"]),
    // The workers of an endpoint and the Pods of a cluster are one group.
    rollUps: rollUps("endpoint_id", ["cluster", "worker"]),
  },
  owner: { usages: usages("owner_id", all) },
  labels: { usages: usages("labels", all) },
};

/** The costs by bucket, kind and subject, in no order. */
export function* monthCosts(request: MonthRequest): Tx<GroupCost[]> {
  const { usages, rollUps } = statements[request.subject];
  const parts = yield* together([
    ...(usages === undefined ? [] : [costsOfUsages(usages, request)]),
    ...(rollUps === undefined ? [] : [costsOfRollUps(rollUps, request)]),
  ]);
  return parts.flat().map((each) => ({ ...each, micros: Number(each.micros) }));
}

function* costsOfUsages(
  sql: string,
  { accountId, from, to, unitMs }: MonthRequest,
): Tx<GroupCost[]> {
  const buckets = [from, Math.min(from + unitMs, to), unitMs, to];
  const conditions = Object.values(paramsInTime({ from, to }));
  return yield* rows(sql, ...buckets, ...conditions.flatMap((each) => [accountId, ...each]));
}

function* costsOfRollUps(
  sql: string,
  { accountId, from, to, unitMs }: MonthRequest,
): Tx<GroupCost[]> {
  const found = yield* rows<Omit<GroupCost, "at"> & { bucket: number }>(
    sql,
    ...[from, unitMs, accountId, from, to],
  );
  return found.map(({ bucket, ...cost }) => ({ ...cost, at: from + bucket * unitMs }));
}

export const monthUnits = ({ from, to }: { from: number; to: number }) => ({
  day: DAY_MS,
  month: to - from,
});
