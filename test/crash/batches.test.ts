// A batch survives SIGKILL: it is there as a whole or not at all, and each of its items becomes one job.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { openSqlite } from "../../src/store/engine/sqlite/open.ts";
import { rows, type Tx } from "../../src/store/engine/statement.ts";
import { freePort } from "../fixtures/free-port.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { pauseMs } from "../fixtures/time/pace.ts";
import { until } from "../fixtures/until.ts";
import { callerOf } from "./caller.ts";
import { databaseOf, seed } from "./seed.ts";

const ITEMS = 5_000;
const KILLS = 3;

test("a service that is killed while it takes and submits batches makes each item one job", async (t) => {
  const dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-batches-"));
  t.after(() => rmSync(dataFolder, { recursive: true }));
  const seeded = await seed(dataFolder, 0);
  const port = await freePort();
  const start = async () => {
    const service = new Service({ dataFolder, port, flags: ["--drivers", "simulated"] });
    assert.ok(await service.ready(), service.stderr);
    return service;
  };
  const call = callerOf(port, seeded);
  const { endpointId } = seeded;
  const items = Array.from({ length: ITEMS }, (_, n) => ({ input: { n } }));
  let service = await start();
  // Killed while it takes a batch: the client has no answer, or the batch is complete.
  const answers: (string | null)[] = [];
  for (const delayMs of [50, 300]) {
    const answer = call("POST", "/v1/batches", { endpointId, items }).then(
      ({ id }) => id as string,
      () => null,
    );
    await pauseMs(delayMs);
    await service.kill();
    answers.push(await answer);
    service = await start();
  }
  const { id } = await call("POST", "/v1/batches", { endpointId, items });
  answers.push(id);
  const progress: number[] = [];
  for (let kill = 1; kill <= KILLS; kill++) {
    const least = (ITEMS / (KILLS + 1)) * kill;
    const found = await until(async () => {
      const listed = await jobsOf(call, id);
      return listed >= least ? listed : null;
    });
    progress.push(found);
    await service.kill();
    service = await start();
  }
  const batches = await until(async () => {
    const listed = await call("GET", "/v1/batches");
    return listed.every(({ status }: { status: string }) => status === "RUNNING") ? listed : null;
  });
  await service.kill();
  const ids = batches.map((batch: { id: string }) => batch.id);
  for (const answered of answers) if (answered) assert.ok(ids.includes(answered), answered);
  for (const batch of batches) assert.equal(batch.counts.inQueue, ITEMS);
  assert.deepEqual(
    await indexesOf(dataFolder),
    ids
      .toSorted()
      .map((batchId: string) => ({ batchId, jobs: ITEMS, indexes: ITEMS, last: ITEMS - 1 })),
  );
  t.diagnostic(`${batches.length} batches; killed after ${progress.join(", ")} of ${ITEMS} jobs`);
});

type Call = ReturnType<typeof callerOf>;

async function jobsOf(call: Call, batchId: string): Promise<number> {
  const [newest] = await call("GET", `/v1/jobs?limit=1&batchId=${batchId}`);
  return newest ? newest.batchIndex + 1 : 0;
}

/** How many jobs each batch has, and of how many items. */
async function indexesOf(dataFolder: string): Promise<object[]> {
  const store = openSqlite(databaseOf(dataFolder));
  function* read(): Tx<object[]> {
    const found = yield* rows<object>(
      `select batch_id as "batchId", count(*) as jobs, count(distinct batch_index) as indexes,
         max(batch_index) as last
       from job where batch_id is not null group by batch_id order by batch_id`,
    );
    return found.map((each) => ({ ...each }));
  }
  const found = await store.read(read);
  await store.close();
  return found;
}
