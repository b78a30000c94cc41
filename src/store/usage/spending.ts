// What was spent in a time: what was charged, and what open usages owe beyond that up to now. One
// statement reads both, so that they are of the same moment.

import { labelIn } from "../../domain/label/labels.ts";
import { type Budget, periodOf, type Spending } from "../../domain/money/budget.ts";
import { labelsFrom, mayHaveLabel, partOfLabels } from "../engine/row/columns.ts";
import { row, rows, type Tx } from "../engine/statement.ts";
import { OWED_FROM, owedAt } from "./owed.ts";

const spending = (table: string, condition: string) => `
  select charged, owed, rate from
    (select coalesce(sum(micros), 0) as charged from ${table}
     where account_id = ? and kind in ('pod', 'cluster', 'sandbox', 'worker', 'volume') and at >= ? and at < ? ${condition}
    ) as past,
    (select coalesce(sum(${owedAt("now")} - ${owedAt("since")}), 0) as owed,
       coalesce(sum(rate), 0) as rate
     from (select ${OWED_FROM}, now,
         case when metered_to < period_start then period_start
           when metered_to > period_end then period_end else metered_to end as since
       from (select ${OWED_FROM}, metered_to, cast(? as bigint) as now, cast(? as bigint) as period_start,
           cast(? as bigint) as period_end
         from usage where account_id = ? and ended_at is null and began_at <= ? ${condition}
       ) as running) as open
    ) as present`;

/** The roll-ups have no labels: this sums the usages, of which an index has those with labels. */
const labelSpending = (condition: string) => `
  select labels, coalesce(sum(${owedAt("until")} - ${owedAt("since")}), 0) as spent,
    coalesce(sum(open_rate), 0) as rate
  from (select labels, open_rate, ${OWED_FROM},
      case when began_at < period_start then period_start else began_at end as since,
      case when known_to > period_end then period_end else known_to end as until
    from (select labels, 0 as open_rate, ended_at as known_to, ${OWED_FROM},
          cast(? as bigint) as period_start, cast(? as bigint) as period_end
        from usage where account_id = ? and labels is not null and ended_at > ? and began_at < ?
        union all
        select labels, rate as open_rate, cast(? as bigint) as known_to, ${OWED_FROM},
          cast(? as bigint) as period_start, cast(? as bigint) as period_end
        from usage where account_id = ? and labels is not null and ended_at is null and began_at <= ?
      ) as labeled
    ${condition}) as present
  group by labels`;
const oneLabelSpending = labelSpending(`where ${mayHaveLabel}`);
const allLabelSpending = labelSpending("");

const scopes = { account: "", endpoint: "and endpoint_id = ?", key: "and key_id = ?" };

const statements = Object.fromEntries(
  Object.entries(scopes).map(([scope, condition]) => {
    return [
      scope,
      { hour: spending("spend_hour", condition), day: spending("spend_day", condition) },
    ];
  }),
) as Record<keyof typeof scopes, Record<"hour" | "day", string>>;

export type SpendingScope = Pick<Budget, "accountId" | "scope" | "subjectId">;

/** From `start` to `end`, which must be on boundaries of the unit. */
export function* spendingBetween(
  of: SpendingScope,
  { start, end, unit }: { start: number; end: number; unit: "hour" | "day" },
  now: number,
): Tx<Spending> {
  const { accountId, scope, subjectId } = of;
  if (scope === "label") return yield* spendingOfLabel(of, { start, end }, now);
  const subject = scope === "account" ? [] : [subjectId];
  const found = yield* row<{ charged: number; owed: number; rate: number }>(
    statements[scope][unit],
    accountId,
    start,
    end,
    ...subject,
    now,
    start,
    end,
    accountId,
    now,
    ...subject,
  );
  const { charged, owed, rate } = found!;
  return { spent: Number(charged) + Number(owed), perHour: Number(rate) };
}

const nothingSpent: Spending = { spent: 0, perHour: 0 };

function* spendingOfLabel(
  { accountId, subjectId }: SpendingScope,
  period: { start: number; end: number },
  now: number,
): Tx<Spending> {
  const part = partOfLabels(...labelIn(subjectId));
  const sums = yield* rows<LabelSum>(
    oneLabelSpending,
    ...labelParams(accountId, period, now),
    part,
  );
  return byLabel(sums).get(subjectId) ?? nothingSpent;
}

/** The sums of usages with the same labels. */
interface LabelSum {
  labels: string;
  spent: number;
  rate: number;
}

function labelParams(
  accountId: string,
  { start, end }: { start: number; end: number },
  now: number,
): (string | number)[] {
  return [start, end, accountId, start, end, now, start, end, accountId, now];
}

/** What each label cost, such as "team=vision". */
function byLabel(sums: readonly LabelSum[]): Map<string, Spending> {
  const totals = new Map<string, Spending>();
  for (const { labels, spent, rate } of sums) {
    for (const [name, value] of Object.entries(labelsFrom(labels))) {
      const label = `${name}=${value}`;
      const total = totals.get(label) ?? nothingSpent;
      const perHour = total.perHour + Number(rate);
      totals.set(label, { spent: total.spent + Number(spent), perHour });
    }
  }
  return totals;
}

type BudgetSpan = SpendingScope & Pick<Budget, "period">;

export function* spendingOf(budget: BudgetSpan, now: number): Tx<Spending> {
  const unit = budget.period === "hour" ? "hour" : "day";
  return yield* spendingBetween(budget, { ...periodOf(budget, now), unit }, now);
}

/** The spending of each budget. Budgets on labels of an account in the same period share one sum over its usages. */
export function* spendingsOf(budgets: readonly BudgetSpan[], now: number): Tx<Spending[]> {
  const groupOf = ({ accountId, period }: BudgetSpan) => `${accountId} ${period}`;
  const onLabels = budgets.filter(({ scope }) => scope === "label");
  const totals = new Map<string, Map<string, Spending>>();
  for (const [group, [budget, other]] of Map.groupBy(onLabels, groupOf)) {
    if (budget && other) totals.set(group, yield* labelTotals(budget, now));
  }
  const spendings: Spending[] = [];
  for (const budget of budgets) {
    const shared = budget.scope === "label" ? totals.get(groupOf(budget)) : undefined;
    spendings.push(
      shared ? (shared.get(budget.subjectId) ?? nothingSpent) : yield* spendingOf(budget, now),
    );
  }
  return spendings;
}

function* labelTotals(budget: BudgetSpan, now: number): Tx<Map<string, Spending>> {
  const params = labelParams(budget.accountId, periodOf(budget, now), now);
  return byLabel(yield* rows<LabelSum>(allLabelSpending, ...params));
}

/** What the workers of each endpoint of an account cost since a midnight UTC, without endpoints that cost nothing. */
export function* endpointSpendingSince(
  accountId: string,
  midnight: number,
  now: number,
): Tx<{ endpointId: string; micros: number }[]> {
  const found = yield* rows<{ endpointId: string; micros: number }>(
    `select endpoint_id as "endpointId", sum(micros) as micros from
       (select endpoint_id, micros from spend_day where account_id = ? and kind = 'worker' and at >= ?
        union all
        select endpoint_id, ${owedAt("now")} - ${owedAt("since")} as micros
        from (select ${OWED_FROM}, endpoint_id, now, case when metered_to < midnight then midnight else metered_to end as since
          from (select ${OWED_FROM}, endpoint_id, metered_to, cast(? as bigint) as now, cast(? as bigint) as midnight from usage
            where account_id = ? and kind = 'worker' and ended_at is null and began_at <= ?
          ) as running) as open
       ) as spent
     group by endpoint_id having sum(micros) > 0`,
    accountId,
    midnight,
    now,
    midnight,
    accountId,
    now,
  );
  return found.map(({ endpointId, micros }) => ({ endpointId, micros: Number(micros) }));
}

/** What an account's open usages owe beyond what was charged for them. */
export function* owedOf(accountId: string, now: number): Tx<{ owed: number; perHour: number }> {
  const open = yield* row<{ owed: number | null; rate: number | null }>(
    `select sum(${owedAt("now")} - ${owedAt("metered_to")}) as owed, sum(rate) as rate
     from (select ${OWED_FROM}, metered_to, cast(? as bigint) as now from usage
       where account_id = ? and ended_at is null and began_at <= ?) as open`,
    now,
    accountId,
    now,
  );
  return { owed: Number(open?.owed ?? 0), perHour: Number(open?.rate ?? 0) };
}
