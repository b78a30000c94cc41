// Schedules survive SIGKILL: every instant that came while Freehold was down is submitted once, however often the
// service is killed while it makes up for them.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { randomIds } from "../../src/base/ids.ts";
import { createSchedule } from "../../src/flows/schedule/schedule.ts";
import { firstAccount } from "../../src/store/account/account.ts";
import { openSqlite } from "../../src/store/engine/sqlite/open.ts";
import { freePort } from "../fixtures/free-port.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { until } from "../fixtures/until.ts";
import { sqliteBooks } from "./books.ts";
import { databaseOf, seed } from "./seed.ts";

const SCHEDULES = 200;
const INSTANTS = 20;
const KILLS = 3;
const MINUTE_MS = 60_000;

test("a service that is killed while it catches up submits every due run once", async (t) => {
  const dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-schedules-"));
  t.after(() => rmSync(dataFolder, { recursive: true }));
  const { endpointId } = await seed(dataFolder, 0);
  const first = await insertSchedules(dataFolder, endpointId);
  const port = await freePort();
  const start = () => new Service({ dataFolder, port, flags: ["--drivers", "simulated"] });
  const books = sqliteBooks(dataFolder);
  t.after(() => books.close());
  const fired = async () => {
    const [found] = await books.all<{ n: number }>(
      "select count(*) as n from schedule where runs > 0",
    );
    return found!.n;
  };
  const progress: number[] = [];
  for (let kill = 1; kill <= KILLS; kill++) {
    const service = start();
    await until(async () => ((await fired()) >= (SCHEDULES / (KILLS + 1)) * kill ? true : null));
    progress.push(await fired());
    await service.kill();
  }
  const last = start();
  await until(async () => ((await fired()) === SCHEDULES ? true : null));
  await last.kill();
  assert.ok(progress[0]! < SCHEDULES, "no kill came while it caught up");
  t.diagnostic(`killed after ${progress.join(", ")} of ${SCHEDULES} schedules`);
  const runs = await books.all<{ schedule_id: string; scheduled_at: number; outcome: string }>(
    "select schedule_id, scheduled_at, outcome from schedule_run where trigger_kind = 'SCHEDULE'",
  );
  const bySchedule = Map.groupBy(runs, (run) => run.schedule_id);
  assert.equal(bySchedule.size, SCHEDULES);
  for (const [id, its] of bySchedule) {
    const instants = its.map((run) => (run.scheduled_at - first) / MINUTE_MS);
    assert.ok(instants.length >= INSTANTS, `${id} has ${instants.length} runs`);
    assert.deepEqual(
      instants.sort((a, b) => a - b),
      [...instants.keys()],
      `the instants of ${id}`,
    );
  }
  assert.ok(runs.every(({ outcome }) => outcome === "SUBMITTED"));
  const [jobs] = await books.all<object>(
    `select count(*) as jobs, (select count(distinct job_id) from schedule_run) as named,
       (select count(*) from schedule_run where job_id in (select id from job)) as found from job`,
  );
  assert.deepEqual({ ...jobs }, { jobs: runs.length, named: runs.length, found: runs.length });
});

/** Schedules of every minute, as they were when Freehold went down. Returns their first instant. */
async function insertSchedules(dataFolder: string, endpointId: string): Promise<number> {
  const store = openSqlite(databaseOf(dataFolder));
  const account = await store.read(firstAccount);
  const minute = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const downAt = minute - INSTANTS * MINUTE_MS;
  const deps = {
    store,
    clock: { now: () => downAt, ticks: () => downAt, after: () => () => {} },
    ids: randomIds,
  };
  for (let n = 0; n < SCHEDULES; n++) {
    await createSchedule(deps, {
      accountId: account!.id,
      endpointId,
      name: `every minute ${n}`,
      labels: {},
      input: "{}",
      spec: {
        cron: "* * * * *",
        timeZone: "UTC",
        webhook: null,
        policy: {},
        missedRunPolicy: "RUN_ALL",
        concurrencyPolicy: "ALLOW",
        catchUpWindowMs: 3_600_000,
      },
      paused: false,
      once: null,
    });
  }
  await store.close();
  return downAt + MINUTE_MS;
}
