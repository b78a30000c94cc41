// What was spent in a time: what charging has summed up, and what is owed beyond it up to now. One
// statement, so that both are of the same moment.

import { type Budget, periodOf, type Spending } from "../../domain/money/budget.ts";
import { row, type Verb } from "../statement.ts";
import { owedAt } from "./owed.ts";

const spending = (table: string, whose: string) => `
  select charged, owed, rate from
    (select coalesce(sum(micros), 0) as charged from ${table}
     where account_id = ? and kind in ('pod', 'worker', 'volume') and at >= ? and at < ? ${whose}
    ) as past,
    (select coalesce(sum(${owedAt("now")} - ${owedAt("since")}), 0) as owed,
       coalesce(sum(rate), 0) as rate
     from (select *,
         case when metered_to < period_start then period_start
           when metered_to > period_end then period_end else metered_to end as since
       from (select *, cast(? as bigint) as now, cast(? as bigint) as period_start,
           cast(? as bigint) as period_end
         from usage where account_id = ? and ended_at is null and began_at <= ? ${whose}
       ) as running) as open
    ) as present`;

const scopes = { account: "", endpoint: "and endpoint_id = ?", key: "and key_id = ?" };

const statements = Object.fromEntries(
  Object.entries(scopes).map(([scope, whose]) => {
    return [scope, { hour: spending("spend_hour", whose), day: spending("spend_day", whose) }];
  }),
) as Record<Budget["scope"], Record<"hour" | "day", string>>;

export type Spender = Pick<Budget, "accountId" | "scope" | "subjectId">;

/** From `start` to `end`, which lie on the borders of hours, or of days. */
export function* spendingBetween(
  { accountId, scope, subjectId }: Spender,
  { start, end, unit }: { start: number; end: number; unit: "hour" | "day" },
  now: number,
): Verb<Spending> {
  const whose = scope === "account" ? [] : [subjectId];
  const found = yield* row<{ charged: number; owed: number; rate: number }>(
    statements[scope][unit],
    accountId,
    start,
    end,
    ...whose,
    now,
    start,
    end,
    accountId,
    now,
    ...whose,
  );
  const { charged, owed, rate } = found!;
  return { spent: Number(charged) + Number(owed), perHour: Number(rate) };
}

export function* spendingOf(budget: Spender & Pick<Budget, "period">, now: number): Verb<Spending> {
  const unit = budget.period === "hour" ? "hour" : "day";
  return yield* spendingBetween(budget, { ...periodOf(budget, now), unit }, now);
}
