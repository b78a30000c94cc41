// A budget's limit that is raised while the loop waits for a Pod stops the Pod no more.

import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { VirtualClock } from "../../src/base/clock.ts";
import { enforceBudgetsLoop } from "../../src/loops/money/enforce-budgets.ts";
import { insertBudget, recordBudgetState } from "../../src/store/budget/budget.ts";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import { changePod, findPod } from "../../src/store/pod/row.ts";
import { Fixture } from "../conformance/store/fixture.ts";
import { gpuMachine, rentPod } from "../conformance/store/pod/pod.ts";
import { until } from "../fixtures/until.ts";
import { freshDatabase, missing } from "./database.ts";

const WAITING = `select 1 from pg_stat_activity
  where datname = current_database() and wait_event in ('transactionid', 'tuple')`;
const DAY_MS = 86_400_000;
const silent = { info() {}, warn() {}, error() {} };

const budget = {
  labels: {},
  id: "b",
  accountId: "account",
  name: "",
  scope: "label" as const,
  subjectId: "team=vision",
  period: "day" as const,
  limit: 0,
  createdAt: 0,
};

test("a Pod whose budget is raised in time goes on", { skip: missing }, async (t) => {
  const url = await freshDatabase(t);
  const { store, now } = await Fixture.set(() => openPostgres(url), t);
  const other = new pg.Client(url);
  await other.connect();
  t.after(async () => {
    await store.close();
    await other.end();
  });
  await gpuMachine(store, "m", now);
  await store.write(rentPod, "p", now);
  await store.write(changePod, "p", { labels: { team: "vision" } });
  const spent = {
    warnedAt: now,
    warnedUntil: now + DAY_MS,
    spentAt: now,
    spentUntil: now + DAY_MS,
  };
  await store.write(insertBudget, { ...budget, ...spent });
  await store.write(recordBudgetState, { ...budget, ...spent });
  await other.query("begin; select 1 from pod where id = 'p' for no key update");
  const deps = { store, clock: new VirtualClock(now), log: silent };
  const pass = enforceBudgetsLoop({ ...deps, protocol: { budgetGraceMs: 60_000 } }).run();
  await until(async () => (await other.query(WAITING)).rowCount === 1);
  await other.query("update budget set spent_until = null where id = 'b'; commit");
  await pass;
  assert.equal((await store.read(findPod, "p"))?.desired.state, "RUNNING");
});
