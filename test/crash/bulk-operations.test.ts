// A bulk retry survives SIGKILL: every job is retried once, however often the service is killed.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { randomIds } from "../../src/base/ids.ts";
import { openSqlite } from "../../src/store/engine/sqlite/open.ts";
import { row, type Tx } from "../../src/store/engine/statement.ts";
import { expireQueued } from "../../src/transactions/job/end.ts";
import { submitJob } from "../../src/transactions/job/submit.ts";
import { freePort } from "../fixtures/free-port.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { until } from "../fixtures/until.ts";
import { callerOf } from "./caller.ts";
import { databaseOf, type Seeded, seed } from "./seed.ts";

const JOBS = Number(process.env.FREEHOLD_RETRIED_JOBS ?? 5_000);
const KILLS = 5;
const DAY_MS = 24 * 3_600_000;

test("a service that is killed during a bulk retry retries every job once", async (t) => {
  const dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-bulk-retry-"));
  t.after(() => rmSync(dataFolder, { recursive: true }));
  const seeded = await seed(dataFolder, 0);
  await insertTimedOut(dataFolder, seeded);
  const port = await freePort();
  const start = async () => {
    const service = new Service({ dataFolder, port, flags: ["--drivers", "simulated"] });
    assert.ok(await service.ready(), service.stderr);
    return service;
  };
  const call = callerOf(port, seeded);
  let service = await start();
  const { id } = await call("POST", "/v1/job-operations", {
    action: "retry",
    filter: { endpointId: seeded.endpointId },
  });
  const progress: number[] = [];
  for (let kill = 1; kill <= KILLS; kill++) {
    const least = (JOBS / (KILLS + 1)) * kill;
    const { done, status } = await until(async () => {
      const retry = await call("GET", `/v1/job-operations/${id}`);
      return retry.done >= least ? retry : null;
    });
    if (status === "RUNNING") progress.push(done);
    await service.kill();
    service = await start();
  }
  const ended = await until(async () => {
    const retry = await call("GET", `/v1/job-operations/${id}`);
    return retry.status === "COMPLETED" ? retry : null;
  });
  await service.kill();
  assert.deepEqual([ended.total, ended.done], [JOBS, JOBS]);
  assert.ok(progress.length > 0, "no kill came while it ran");
  assert.deepEqual(await contentsOf(dataFolder), { queued: JOBS, counted: JOBS, retried: JOBS });
  t.diagnostic(`killed after ${progress.join(", ")} of ${JOBS} jobs`);
});

async function insertTimedOut(dataFolder: string, { endpointId }: Seeded): Promise<void> {
  const store = openSqlite(databaseOf(dataFolder));
  const now = Date.now();
  const job = {
    endpointId,
    sync: false,
    priority: 0,
    lowPriority: false,
    now: now - 2 * DAY_MS,
    ttlMs: DAY_MS,
    executionMs: 600_000,
    keepMs: DAY_MS,
    failureKeepMs: DAY_MS,
    webhook: null,
    retry: null,
    concurrency: null,
    rateLimit: null,
    startAt: null,
    extras: null,
    trace: null,
    batch: null,
    input: { inline: "{}" },
  };
  const ids = Array.from({ length: JOBS }, () => randomIds.job(false, now));
  await Promise.all(ids.map((id) => store.write(submitJob, { ...job, id })));
  assert.equal(await store.write(expireQueued, now, JOBS), JOBS);
  await store.close();
}

/** Jobs in the queue, by their rows and by the counter, and how often a job was retried. */
async function contentsOf(dataFolder: string) {
  const store = openSqlite(databaseOf(dataFolder));
  function* read(): Tx<unknown> {
    const sql = `select (select count(*) from job where state = 'IN_QUEUE') as queued,
      sum(in_queue) as counted, sum(retried) as retried from tally`;
    return { ...(yield* row<object>(sql)) };
  }
  const contents = await store.read(read);
  await store.close();
  return contents;
}
