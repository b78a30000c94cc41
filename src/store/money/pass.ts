// A pass of the meter over all that is used: some in a turn, by statements that each see to all of
// them. What is charged is as in `charge.ts`.

import { HOUR_MS } from "../../domain/money/owed.ts";
import { change, row, rows, type Verb } from "../statement.ts";
import type { Store } from "../store.ts";
import { owedAt } from "./owed.ts";
import { type Charged, post } from "./post.ts";
import { facts } from "./row.ts";

/** Charges all that is used towards `now`, so many in a turn of the store. */
export async function chargeAll(
  store: Pick<Store, "write">,
  now: number,
  aTurn: number,
): Promise<void> {
  for (let from: number | null = 0; from !== null; ) {
    from = await store.write(chargeSome, from, now, aTurn);
  }
}

/** The same within one turn. */
export function* chargeAtOnce(now: number, aStatement: number): Verb<void> {
  for (let from: number | null = 0; from !== null; ) {
    from = yield* chargeSome(from, now, aStatement);
  }
}

const within = `ended_at is null and id > ? and id <= ?`;
const hourEnd = `(metered_to / ${HOUR_MS} + 1) * ${HOUR_MS}`;
const hour = `metered_from / ${HOUR_MS} * ${HOUR_MS}`;
const ms = "(metered_to - metered_from)";

/** By everything but the usage: there are many of these, and they differ in little else. */
const moved = `
  select account_id, kind, ${facts}, ${hour} as at, sum(running * ${ms}) as run_ms, sum(${ms}) as ms,
    sum(disk_gb * ${ms}) as gb_ms, sum(${owedAt("metered_to")} - ${owedAt("metered_from")}) as micros
  from usage where ${within} and pass = ?
  group by account_id, kind, ${facts}, ${hour}`;

/**
 * Charges the next `most` open usages with greater ids than `from` towards `now`, each at most to the
 * end of the hour it stands in. Returns where to go on, which is `from` where hours are left; null at
 * the end.
 */
export function* chargeSome(from: number, now: number, most: number): Verb<number | null> {
  const last = yield* row<{ id: number }>(
    "select id from usage where ended_at is null and id > ? order by id limit 1 offset ?",
    from,
    most - 1,
  );
  const next = last?.id ?? null;
  const these = [from, next ?? Number.MAX_SAFE_INTEGER];
  const opened = yield* row<{ id: number }>(
    `insert into ledger_transaction (at, kind, note)
     select cast(? as bigint), 'usage', '' where exists
       (select 1 from usage where ${within} and metered_to < ?)
     returning id`,
    now,
    ...these,
    now,
  );
  if (!opened) return next;
  // One that another replica holds is waited for: locking them first, to pass it by, doubles the work.
  yield* change(
    `update usage set pass = ?, metered_from = metered_to,
       metered_to = case when ${hourEnd} < ? then ${hourEnd} else ? end
     where ${within} and metered_to < ?`,
    opened.id,
    now,
    now,
    ...these,
    now,
  );
  const charged = yield* rows<Charged>(moved, ...these, opened.id);
  yield* post(opened.id, charged);
  return charged.some(({ at }) => at + HOUR_MS < now) ? from : next;
}
