// Queries of a read that share a round trip see one state of the database, whatever commits between them.

import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { insertAccount } from "../../src/store/account/account.ts";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import { rows, together } from "../../src/store/engine/statement.ts";
import { until } from "../fixtures/until.ts";
import { freshDatabase, missing } from "./database.ts";

const LOCK = 4_711;

test("queries of a read that share a round trip see one state", { skip: missing }, async (t) => {
  const url = await freshDatabase(t);
  const store = await openPostgres(url);
  const client = new pg.Client(url);
  await client.connect();
  t.after(async () => {
    await client.end();
    await store.close();
  });
  await client.query("select pg_advisory_lock($1)", [LOCK]);
  const count = "select count(*) as count from account";
  const lock = "select pg_advisory_xact_lock(cast(? as bigint))";
  const counts = store.read(() => together([rows(count), rows(lock, LOCK), rows(count)]));
  await until(async () => {
    const waiting = "select 1 from pg_locks where locktype = 'advisory' and not granted";
    return (await client.query(waiting)).rowCount === 1;
  });
  await store.write(insertAccount, { id: "a", name: "a", webhookSecret: null, createdAt: 1 });
  await client.query("select pg_advisory_unlock($1)", [LOCK]);
  const [before, , after] = await counts;
  assert.deepEqual(after, before);
});
