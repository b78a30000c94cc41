// Tests of a replica whose machine's clock is wrong by ten minutes.

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import { Connection } from "../crash/connection.ts";
import { seedStore } from "../crash/seed.ts";
import { Replica } from "../faults/scene.ts";
import { freePort } from "../fixtures/free-port.ts";
import { pauseMs } from "../fixtures/time/pace.ts";
import { freshDatabase, missing } from "../postgres/database.ts";

const SKEW = pathToFileURL(path.join(import.meta.dirname, "skewed-clock.mjs"));

for (const minutes of [10, -10]) {
  const title = `a clock that is wrong by ${minutes} minutes makes no lease run out, early or late`;
  test(title, { skip: missing }, async (t) => {
    const url = await freshDatabase(t);
    const { key, endpointId, workers } = await seedStore(await openPostgres(url), 1);
    const ports = [await freePort(), await freePort()];
    const wrong = {
      NODE_OPTIONS: `--import=${SKEW}`,
      TEST_SKEW_MS: String(minutes * 60_000),
    };
    const [right, skewed] = [new Replica(ports[0]!, url), new Replica(ports[1]!, url, wrong)];
    t.after(() => Promise.all([right.clear(), skewed.clear()]));
    await skewed.start(); // it holds all leaderships
    await right.start();
    const at = (replica: number) => new Connection(ports[replica]!);
    const worker = workers[0]!;
    const run = { method: "POST" as const, path: `/v2/${endpointId}/run`, key };
    const submitted = await at(0).ask({ ...run, body: '{"input":{},"policy":{"ttl":60000}}' });
    const { id } = JSON.parse(submitted!.text) as { id: string };
    const take = `/v2/${endpointId}/job-take/${worker.id}`;
    const taken = await at(0).ask({ method: "GET", path: take, key: worker.key });
    assert.equal((JSON.parse(taken!.text) as { id: string }).id, id);
    // Listed through both replicas in turn for longer than a lease: it must stay with its worker.
    for (let n = 0; n < 12; n++) {
      await pauseMs(500);
      const path = `/v2/${endpointId}/ping/${worker.id}?job_id=${id}`;
      await at(n % 2).ask({ method: "GET", path, key: worker.key });
    }
    const done = { path: `/v2/${endpointId}/job-done/${worker.id}/${id}`, key: worker.key };
    await at(1).ask({ ...done, method: "POST", body: '{"output":1}' });
    const status = await at(0).ask({ method: "GET", path: `/v2/${endpointId}/status/${id}`, key });
    const job = JSON.parse(status!.text) as Record<string, unknown>;
    assert.deepEqual([job.status, job.retries], ["COMPLETED", undefined]);
    const { delayTime, executionTime } = job as { delayTime: number; executionTime: number };
    assert.ok(delayTime >= 0 && delayTime < 60_000, `delayTime is ${delayTime}`);
    assert.ok(executionTime >= 0 && executionTime < 60_000, `executionTime is ${executionTime}`);
  });
}
