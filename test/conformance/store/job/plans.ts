// The plans of queries in a store with many ended jobs.

import { change, type Query, rows, type Tx } from "../../../../src/store/engine/statement.ts";
import type { Fixture } from "../fixture.ts";

const JOBS = 20_000;

/** Ended jobs, of which one in ten failed, one a second. */
export function* fill(now: number): Tx<void> {
  yield* change(
    `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${JOBS})
     insert into job (id, endpoint_id, state, sync, priority, low_priority, submitted_at, queued_at,
       ttl_ms, ttl_at, execution_ms, keep_ms, failure_keep_ms, forget_at, input, worker_id, taken_at,
       attempts, finished_at, error)
     select 'job-' || cast(100000 + n as text), case when n % 2 = 0 then 'e' else 'f' end,
       case when n % 10 = 0 then 'FAILED' else 'COMPLETED' end, 0, 0, 0,
       cast(? as bigint) - (${JOBS} - n) * 1000, cast(? as bigint), 1000, cast(? as bigint), 0, 1000, 1000,
       cast(? as bigint), '{"n":1}', case when n % 100 = 0 then 'rare' else 'w' end,
       cast(? as bigint), 1, cast(? as bigint),
       case when n % 10 = 0 then 'ValueError: Number ' || cast(n as text) || ' at 100%' end
     from numbers`,
    now,
    now,
    now,
    now + 3_600_000,
    now,
    now,
  );
}

/** Fills the store as `fill` does; returns what explains a query. PostgreSQL analyzes large tables by itself, SQLite none. */
export async function fillAnalyzed({
  store,
  now,
}: Fixture): Promise<"explain" | "explain query plan"> {
  await store.write(fill, now);
  const isSqlite = await store.read(rows, "select 1 from sqlite_master").catch(() => null);
  if (isSqlite) return "explain query plan";
  await store.write(change, "analyze job");
  return "explain";
}

/** Runs a transaction and returns the plans of its queries of jobs, without those of single rows. */
export function* plansOf(transaction: Tx<unknown>, prefix: string): Tx<string[]> {
  const plans: string[] = [];
  for (let step = transaction.next(); !step.done; ) {
    if ("sql" in step.value) plans.push(yield* planOf(step.value, prefix));
    step = transaction.next(yield step.value);
  }
  return plans.filter((plan) => /\bjob\b/.test(plan));
}

function* planOf({ sql, params }: Query, prefix: string): Tx<string> {
  const found = yield* rows<Record<string, string>>(`${prefix} ${sql}`, ...params);
  return found.map((line) => line.detail ?? line["QUERY PLAN"]).join("\n");
}
