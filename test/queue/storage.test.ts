// Tests of the limit on the bytes that an account stores.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

const LIMIT = { FREEHOLD_STORAGE_PER_ACCOUNT: "0.001" };
const input = { text: "x".repeat(300_000) };

async function fill(service: TestService, endpoint: string): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const { status, json } = await service.call("POST", `/v2/${endpoint}/run`, { input });
    if (status === 200) ids.push(json.id);
    else {
      assert.equal(status, 400);
      assert.equal(json.code, "storage_full");
      assert.match(json.error, /stores [\d.]+ MB of at most 1 MB/);
      return ids;
    }
  }
}

/** Waits until the limit is checked against a new sum. */
async function isAdmitted(service: TestService, path: string, body: object): Promise<void> {
  await until(async () => (await service.call("POST", path, body)).status < 300);
}

test("an account at its limit stores nothing new until something is freed", async (t) => {
  const service = await startService(t, { env: LIMIT, protocol: { keepAsyncMs: 5_000 } });
  const endpoint = await service.makeEndpoint();
  const other = await service.makeEndpoint();
  const ids = await fill(service, endpoint);
  // Each replica counts what it has accepted itself, and reads the others' every few seconds.
  const { length: replicas } = service.replicas;
  assert.ok(ids.length >= 3 && ids.length <= 3 * replicas, `${ids.length} jobs`);
  await t.test("the limit is the account's, and not the endpoint's", async () => {
    const sync = await service.call("POST", `/v2/${other}/runsync`, { input });
    assert.equal(sync.json.code, "storage_full", sync.text);
  });
  await t.test("queued jobs run, and a large result is stored", async () => {
    const worker = await service.makeWorker(endpoint);
    const { json } = await worker.call("job-take", "?job_in_progress=0");
    const done = JSON.stringify({ output: "y".repeat(400_000) });
    const posted = await worker.call(`job-done/${json.id}`, "", done);
    assert.equal(posted.status, 200);
    const { json: job } = await service.call("GET", `/v2/${endpoint}/status/${json.id}`);
    assert.equal(job.output.length, 400_000);
  });
  await t.test("a deleted job makes room", async () => {
    for (const id of ids) await service.call("POST", `/v2/${endpoint}/cancel/${id}`);
    await isAdmitted(service, `/v2/${endpoint}/run`, { input });
  });
});
