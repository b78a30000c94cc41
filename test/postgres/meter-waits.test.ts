// A deadlock between a metering pass and another replica: one of the two starts over, and everything is charged
// once.

import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { insertAccount } from "../../src/store/account/account.ts";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import type { Metered } from "../../src/store/usage/usage.ts";
import { chargeAll } from "../../src/transactions/money/charge-all.ts";
import { meter } from "../../src/transactions/money/meter.ts";
import { until } from "../fixtures/until.ts";
import { freshDatabase, missing } from "./database.ts";

const START = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const PODS = 9;

const pod = (n: number): Metered => ({
  ...{ accountId: "a", kind: "pod", resourceId: `pod${n}`, endpointId: "", gpuTypeId: "" },
  ...{ dataCenterId: "", imageName: "", templateId: "", volumeType: "", keyId: "" },
  ...{ ownerId: null, labels: {} },
  ...{ running: true, diskGb: 0, rate: 6_000_000, diskRate: 0 },
});

test("a metering pass in a deadlock with another replica charges everything once", {
  skip: missing,
}, async (t) => {
  const url = await freshDatabase(t);
  const store = await openPostgres(url);
  const other = new pg.Client(url);
  await other.connect();
  t.after(async () => {
    await other.end();
    await store.close();
  });
  const account = { id: "a", name: "a", webhookSecret: null, createdAt: START };
  await store.write(insertAccount, account);
  for (let n = 1; n <= PODS; n++) await store.write(meter, pod(n), START);

  const lock = (n: number) =>
    other.query("select 1 from usage where resource_id = $1 for update", [`pod${n}`]);
  await other.query("begin");
  await lock(PODS);
  const pass = chargeAll(store, START + MINUTE_MS, 1_000);
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => (await other.query(waiting)).rowCount !== 0);
  await lock(1).catch((error) => assert.equal(error.code, "40P01"));
  await other.query("rollback");
  await pass;

  const { rows } = await other.query("select metered_to as to from usage");
  assert.deepEqual(
    rows.map(({ to }) => Number(to)),
    Array(PODS).fill(START + MINUTE_MS),
  );
  const entries = await other.query(
    "select sum(micros) as micros from ledger_entry where book = 'revenue'",
  );
  assert.equal(Number(entries.rows[0].micros), (PODS * 6_000_000) / 60);
});
