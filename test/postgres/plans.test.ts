// PostgreSQL's plans that are made while a table is empty and used when it is full.

import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import type { Store } from "../../src/store/engine/store.ts";
import { findKeptJob } from "../../src/store/job/find.ts";
import { finishHeldJob } from "../../src/transactions/job/finish.ts";
import { renewLeases } from "../../src/transactions/job/renew-leases.ts";
import { appendJobLogs } from "../../src/transactions/log/append-job-logs.ts";
import { Fixture, LEASE_MS } from "../conformance/store/fixture.ts";
import { freshDatabase, missing } from "./database.ts";

/** Jobs whose calls share a batch. */
const JOBS = 200;

test("the calls of a job find it by its id or its place in the queue alone", {
  skip: missing,
}, async (t) => {
  const url = await freshDatabase(t);
  const store = await openPostgres(url);
  const fixture = new Fixture(store);
  await fixture.prepare();
  await runJob(store, fixture);
  await runJobs(store, fixture);
  await store.close(); // a connection that ends has counted its scans

  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(
    `select indexrelname as name, idx_tup_read as read from pg_stat_user_indexes
     where relname = 'job' and idx_scan > 0 order by 1`,
  );
  await client.end();
  assert.deepEqual(
    rows.map(({ name }) => name),
    ["job_id_key", "job_pkey", "job_ready"],
  );
  const read = Math.max(...rows.map(({ read }) => Number(read)));
  assert.ok(read < 10 * JOBS, `an index gave ${read} entries for ${JOBS} jobs`);
});

async function runJob(store: Store, fixture: Fixture): Promise<void> {
  const { now } = fixture;
  const id = await fixture.submit();
  assert.deepEqual(await fixture.claim(), [id]);
  await store.write(renewLeases, "w", [id], now, LEASE_MS);
  const piece = {
    jobId: id,
    omitted: 0,
    lines: [{ at: now, text: "line", level: null }],
    chars: 4,
  };
  const worker = { id: "w", endpointId: "e" };
  const lines = { worker, pieces: [piece], toTrim: [id], from: null, to: { mark: "1", at: now } };
  assert.ok(await store.write(appendJobLogs, lines));
  assert.ok(await store.write(finishHeldJob, fixture.result(id, "w", null)));
  assert.equal((await store.read(findKeptJob, id, now))?.state, "COMPLETED");
}

async function runJobs(store: Store, fixture: Fixture): Promise<void> {
  const ids = await fixture.submitAll(JOBS, {});
  const claimed = await Promise.all(ids.map(() => fixture.claim()));
  assert.deepEqual(claimed.flat(), ids);
  const results = ids.map((id) => store.write(finishHeldJob, fixture.result(id, "w", null)));
  assert.ok((await Promise.all(results)).every((held) => held));
}
