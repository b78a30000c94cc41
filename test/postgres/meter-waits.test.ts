// What meters and another replica that does the same: of a deadlock one starts over, and what waits for a lock sees what the
// other has written.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import pg from "pg";
import { insertAccount } from "../../src/store/account/account.ts";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import type { Metered } from "../../src/store/usage/usage.ts";
import { chargeAll } from "../../src/transactions/money/charge-all.ts";
import { attribute, endMeter, meter } from "../../src/transactions/money/meter.ts";
import { until } from "../fixtures/until.ts";
import { freshDatabase, missing } from "./database.ts";

const START = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const PODS = 9;

const pod = (n: number): Metered => ({
  accountId: "a",
  kind: "pod",
  resourceId: `pod${n}`,
  endpointId: "",
  gpuTypeId: "",
  dataCenterId: "",
  imageName: "",
  templateId: "",
  volumeType: "",
  gpus: 0,
  keyId: "",
  ownerId: null,
  labels: {},
  running: true,
  diskGb: 0,
  rate: 6_000_000,
  diskRate: 0,
});

const WAITING = `select 1 from pg_stat_activity
  where datname = current_database() and wait_event in ('transactionid', 'tuple')`;

/** A store with one account, and the connection of another replica. */
async function open(t: TestContext) {
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
  const untilWaiting = () => until(async () => (await other.query(WAITING)).rowCount !== 0);
  return { store, other, untilWaiting };
}

test("a metering pass in a deadlock with another replica charges everything once", {
  skip: missing,
}, async (t) => {
  const { store, other, untilWaiting } = await open(t);
  for (let n = 1; n <= PODS; n++) await store.write(meter, pod(n), START);

  const lock = (n: number) =>
    other.query("select 1 from usage where resource_id = $1 for update", [`pod${n}`]);
  await other.query("begin");
  await lock(PODS);
  const pass = chargeAll(store, START + MINUTE_MS, 1_000);
  await untilWaiting();
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

test("labels, and an end, reach the usage that another replica opens meanwhile", {
  skip: missing,
}, async (t) => {
  const { store, other, untilWaiting } = await open(t);
  await store.write(meter, pod(1), START);
  const columns = `select string_agg(column_name, ', ') as names from information_schema.columns
    where table_name = 'usage' and column_name not in ('id', 'ended_at')`;
  const [{ names }] = (await other.query(columns)).rows;
  /** As a change of its price does. */
  const follow = async () => {
    await other.query("begin");
    await other.query("update usage set ended_at = $1 where ended_at is null", [START + 1]);
    await other.query(
      `insert into usage (${names}) select ${names} from usage order by id desc limit 1`,
    );
  };
  const last = async () => {
    const { rows } = await other.query("select labels, ended_at from usage order by id desc");
    return rows[0];
  };

  await follow();
  const labelled = store.write(
    attribute,
    "pod1",
    { ownerId: null, labels: { team: "a" } },
    START + 9,
  );
  await untilWaiting();
  await other.query("commit");
  await labelled;
  assert.equal((await last()).labels, '{"team":"a"}');

  await follow();
  const ended = store.write(endMeter, "pod1", START + 20);
  await untilWaiting();
  await other.query("commit");
  await ended;
  assert.equal(Number((await last()).ended_at), START + 20);
});
