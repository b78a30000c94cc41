// The statement of a month: its lines are what the ledger charged, at one moment, and it reads the usages of its month.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../../../src/base/units.ts";
import { type StatementGrouping, statementOf } from "../../../../src/flows/billing/statement.ts";
import {
  type Query,
  row,
  rows,
  type Step,
  type Tx,
} from "../../../../src/store/engine/statement.ts";
import type { Store } from "../../../../src/store/engine/store.ts";
import { postCredit, postedOf } from "../../../../src/store/ledger/ledger.ts";
import { type MonthRequest, monthCosts } from "../../../../src/store/usage/month.ts";
import { chargeAll } from "../../../../src/transactions/money/charge-all.ts";
import { attribute, endMeter, meter } from "../../../../src/transactions/money/meter.ts";
import { Fixture, type OpenStore } from "../fixture.ts";
import { metered } from "./money.ts";

const DAY_MS = 24 * HOUR_MS;
const monthAt = (n: number) => Date.UTC(2027, n, 1);
const groupings: StatementGrouping[] = [
  "kind",
  "resource",
  "createdBy",
  "project",
  { label: "team" },
];

const statement = (store: Store, now: number, at: number, more = {}) => {
  const request = { accountId: "account", at, bucketSize: "month", grouping: "kind" } as const;
  const clock = { now: () => now } as Parameters<typeof statementOf>[0]["clock"];
  return statementOf({ store, clock }, { ...request, ...more });
};

const balanceIn = async (store: Store) => (await store.read(postedOf, "account")).balance;

/** Several lives around the ends of months; returns the time of the last charge. */
async function spendAround(store: Store): Promise<number> {
  const end = monthAt(2);
  const credit = { micros: 7_000_001, kind: "top_up", note: "cash" } as const;
  await store.write(postCredit, "account", credit, monthAt(1) - 1);
  await store.write(meter, metered("long", 1_234_567), monthAt(1) - 77);
  await store.write(meter, metered("open", 333_333), end - DAY_MS);
  // It ends a millisecond into the next month, and its end is reported after it was charged for longer.
  await store.write(meter, metered("late", 7_777_777), end - HOUR_MS);
  await store.write(meter, metered("short", 999_999), end - HOUR_MS);
  const worker = metered("worker", 55_555, { kind: "worker", endpointId: "e" });
  await store.write(meter, worker, end - HOUR_MS);
  await chargeAll(store, end + 2 * HOUR_MS, 100);
  await store.write(attribute, "short", { ownerId: "ada", labels: { team: "ads" } }, end);
  await store.write(endMeter, "late", end + 1);
  await store.write(endMeter, "worker", end + 1_001, 1_000);
  await store.write(endMeter, "long", end + 3 * HOUR_MS);
  const last = end + 4 * HOUR_MS;
  await chargeAll(store, last, 100);
  return last;
}

/** The first query of the usages' part. */
function queryOf(request: MonthRequest): Query {
  const step = monthCosts(request).next().value as Extract<Step, { together: Tx<unknown>[] }>;
  return step.together[0]!.next().value as Query;
}

export function statementConformance(open: OpenStore): void {
  test("statements follow one another to the ledger's balance in every grouping", async (t) => {
    const { store } = await Fixture.set(open, t);
    const now = await spendAround(store);
    for (const grouping of groupings) {
      for (const bucketSize of ["day", "month"]) {
        let balance = 0;
        for (let month = 0; month <= 2; month++) {
          const bill = await statement(store, now, monthAt(month), { grouping, bucketSize });
          assert.equal(bill.opening, balance);
          for (const { at } of bill.lines) assert.ok(at >= bill.from && at < bill.to);
          balance = bill.closing;
        }
        assert.equal(balance, await balanceIn(store));
      }
    }
    const byLabel = await statement(store, now, monthAt(2), { grouping: { label: "team" } });
    assert.deepEqual(
      byLabel.lines.map(({ kind, group }) => [kind, group]),
      [
        ["pod", null],
        ["pod", "ads"],
        ["worker", null],
      ],
    );
  });

  test("1,000 changes of a label make a usage for each minute, and cost nothing", async (t) => {
    const { store } = await Fixture.set(open, t);
    await requireFewUsages(store);
  });

  test("a statement is of one moment, also while usages end", async (t) => {
    const { store } = await Fixture.set(open, t);
    const start = monthAt(1);
    const ids = Array.from({ length: 60 }, (_, n) => `p${n}`);
    await Promise.all(ids.map((id, n) => store.write(meter, metered(id, 1_000_003 + n), start)));
    const closings: number[] = [];
    for (const [n, id] of ids.entries()) {
      const at = start + (n + 1) * HOUR_MS;
      const change = n % 2 === 0 ? store.write(endMeter, id, at) : chargeAll(store, at, 7);
      const grouping = groupings[n % groupings.length]!;
      const bills = [1, 2].map(() => statement(store, at, start, { grouping }));
      closings.push(...(await Promise.all(bills)).map(({ closing }) => closing));
      await change;
    }
    const entries = await store.read(() =>
      rows<{ micros: number }>(
        "select micros from ledger_entry where book = 'balance' order by transaction_id",
      ),
    );
    const balances = new Set([0]);
    let balance = 0;
    for (const { micros } of entries) {
      balance += Number(micros);
      balances.add(balance);
    }
    assert.deepEqual(
      closings.filter((each) => !balances.has(each)),
      [],
    );
  });

  test("a statement reads the usages of its month among those of years", async (t) => {
    const { store } = await Fixture.set(open, t);
    await requireOwnUsages(store);
  });
}

/** A change every second, and a pass of the meter now and then. */
async function requireFewUsages(store: Store): Promise<void> {
  const start = monthAt(2) - 10 * 60_000;
  await store.write(meter, metered("p", 7_777_777), start);
  for (let n = 1; n <= 1_000; n++) {
    const labels = { team: `t${n % 7}` };
    await store.write(attribute, "p", { ownerId: null, labels }, start + n * 1_000);
    if (n % 97 === 0) await chargeAll(store, start + n * 1_000, 100);
  }
  const now = start + 1_000_000;
  await store.write(endMeter, "p", now);
  const count = (table: string) => store.read(() => rows(`select 1 from ${table}`));
  assert.equal((await count("usage")).length, 17);
  assert.ok((await count("ledger_transaction")).length < 50);
  const byLabel = { grouping: { label: "team" } };
  const first = await statement(store, now, monthAt(1), byLabel);
  const second = await statement(store, now, monthAt(2), byLabel);
  assert.equal(second.closing, await balanceIn(store));
  assert.equal(second.closing, -Math.floor((7_777_777 * 1_000_000) / HOUR_MS));
  assert.ok(first.lines.length + second.lines.length <= 2 * 7);
}

/** Closed usages of two years, of which one month is read. */
async function requireOwnUsages(store: Store): Promise<void> {
  const PER_MONTH = 30;
  for (let month = 0; month < 24; month++) {
    const lives = Array.from({ length: PER_MONTH }, (_, n) => `${month}-${n}`);
    const began = (n: number) => monthAt(month) + n * 12 * HOUR_MS;
    await Promise.all(lives.map((id, n) => store.write(meter, metered(id, 7), began(n))));
    await Promise.all(lives.map((id, n) => store.write(endMeter, id, began(n) + HOUR_MS)));
  }
  const period = { accountId: "account", from: monthAt(3), to: monthAt(4) };
  const { sql, params } = queryOf({ ...period, unitMs: DAY_MS, subject: "resource" });
  if (store.dialect === "sqlite") {
    const plan = await store.read(() =>
      rows<{ detail: string }>(`explain query plan ${sql}`, ...params),
    );
    const reads = plan.flatMap(({ detail }) => detail.match(/ usage USING .*/)?.[0] ?? []);
    assert.deepEqual(reads, [
      " usage USING INDEX usage_ended (account_id=? AND kind=? AND ended_at>? AND ended_at<?)",
      " usage USING INDEX usage_long (account_id=? AND kind=? AND ended_at>?)",
      " usage USING INDEX usage_open_of (account_id=?)",
    ]);
    return;
  }
  const answer = await store.read(() =>
    row<Record<string, unknown>>(`explain (analyze, format json) ${sql}`, ...params),
  );
  const text = answer!["QUERY PLAN"];
  const [{ Plan: plan }] = typeof text === "string" ? JSON.parse(text) : text;
  assert.ok(rowsRead(plan) <= 2 * PER_MONTH, JSON.stringify(plan, null, 1));
}

interface Plan {
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** Rows of `usage` that a plan read, also those that it passed over. */
function rowsRead(plan: Plan): number {
  const { "Actual Rows": rows, "Rows Removed by Filter": removed = 0 } = plan;
  const own = plan["Relation Name"] === "usage" ? (rows + removed) * plan["Actual Loops"] : 0;
  return (plan.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), own);
}
