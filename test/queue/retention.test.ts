// Tests of how long a job is kept: by its own time to live, and by the kind of its submit.

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { startService, type TestService, type TestWorker } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

async function finishNext(worker: TestWorker): Promise<string> {
  const { json } = await worker.call("job-take", "?job_in_progress=0");
  await worker.call(`job-stream/${json.id}`, "", '{"output":"chunk"}');
  await worker.call(`job-done/${json.id}`, "", JSON.stringify({ output: "x".repeat(5_000) }));
  return json.id;
}

/** Waits until a job is deleted. */
async function isForgotten(service: TestService, endpoint: string, id: string): Promise<void> {
  await until(async () => {
    const { status } = await service.call("GET", `/v2/${endpoint}/status/${id}`);
    return status === 404;
  });
}

suite("retention", { concurrency: 4 }, () => {
  test("a runsync result expires before a run result, and later if a wait was given", async (t) => {
    const protocol = { keepSyncMs: 500, keepSyncWaitMs: 60_000, keepAsyncMs: 60_000 };
    const service = await startService(t, { protocol });
    const endpoint = await service.makeEndpoint();
    const worker = await service.makeWorker(endpoint);
    const at = `/v2/${endpoint}`;
    const submits = ["runsync", "runsync?wait=5000", "run"].map(async (path) => {
      return (await service.call("POST", `${at}/${path}`, { input: {} })).json.id;
    });
    for (const _ of submits) await finishNext(worker);
    const [short, long, run] = await Promise.all(submits);
    await isForgotten(service, endpoint, short);
    for (const route of ["status-sync", "stream"]) {
      assert.equal((await service.call("GET", `${at}/${route}/${short}`)).status, 404);
    }
    for (const id of [long, run]) {
      assert.equal((await service.call("GET", `${at}/status/${id}`)).json.status, "COMPLETED");
    }
    const { json } = await service.call("GET", `${at}/health`);
    assert.equal(json.jobs.completed, 3, "past jobs count, not only stored ones");
  });

  test("an endpoint's own retention counts for results and for failures, whatever the request", async (t) => {
    const service = await startService(t, { protocol: { keepMaxMs: 3_600_000 } });
    const endpoint = await service.makeEndpoint();
    const worker = await service.makeWorker(endpoint);
    const settings = { resultRetentionMs: 5_000, failureRetentionMs: 3_600_000 };
    const change = await service.call("PATCH", `/v1/endpoints/${endpoint}`, settings);
    assert.equal(change.status, 200, change.text);
    assert.equal(change.json.version, 1, "no release");
    const retentions = [];
    for (const [submit, post] of [
      ["run", '{"output":1}'],
      ["runsync", '{"output":1}'],
      ["run", '{"error":"no"}'],
      ["runsync?wait=5000", null],
    ] as const) {
      const submitted = service.call("POST", `/v2/${endpoint}/${submit}`, { input: {} });
      const { json } = await worker.call("job-take", "?job_in_progress=0");
      if (post) await worker.call(`job-done/${json.id}`, "", post);
      else await service.call("POST", `/v2/${endpoint}/cancel/${json.id}`);
      await submitted;
      const { json: job } = await service.call("GET", `/v1/jobs/${json.id}`);
      retentions.push(Date.parse(job.forgottenAt) - Date.parse(job.finishedAt));
    }
    assert.deepEqual(retentions, [5_000, 5_000, 3_600_000, 3_600_000]);
    const over = await service.call("PATCH", `/v1/endpoints/${endpoint}`, {
      resultRetentionMs: 3_600_001,
    });
    assert.equal(over.status, 400);
    assert.match(over.json.message, /"resultRetentionMs" .* between 1000 and 3600000 mill/);
  });

  test("a time to live set on an ended job changes the end of its retention", async (t) => {
    const service = await startService(t);
    const endpoint = await service.makeEndpoint();
    const worker = await service.makeWorker(endpoint);
    const { id } = (await service.call("POST", `/v2/${endpoint}/run`, { input: {} })).json;
    await finishNext(worker);
    const answer = await service.call("GET", `/v2/${endpoint}/status/${id}?ttl=5000`);
    assert.equal(answer.json.status, "COMPLETED");
    await isForgotten(service, endpoint, id);
  });

  test("a running job whose time to live expires is stopped", async (t) => {
    const service = await startService(t);
    const endpoint = await service.makeEndpoint();
    const worker = await service.makeWorker(endpoint);
    const { id } = (await service.call("POST", `/v2/${endpoint}/run`, { input: {} })).json;
    await worker.call("job-take");
    const stop = worker.call("job-stop");
    await service.call("GET", `/v2/${endpoint}/status/${id}?ttl=1000`);
    const { json } = await service.call("GET", `/v2/${endpoint}/status-sync/${id}?wait=90000`);
    assert.equal(json.status, "TIMED_OUT");
    assert.match(json.error, /while it was running/);
    assert.deepEqual((await stop).json, { jobsToStop: [id] });
  });

  test("setting a time to live needs a key with write permission", async (t) => {
    const service = await startService(t);
    const endpoint = await service.makeEndpoint();
    const { id } = (await service.call("POST", `/v2/${endpoint}/run`, { input: {} })).json;
    const path = `/v2/${endpoint}/status/${id}`;
    for (const ttl of ["999", "604800001", "soon", "-1"]) {
      assert.equal((await service.call("GET", `${path}?ttl=${ttl}`)).status, 400, ttl);
    }
    const key = await readKey(service);
    const authorization = key;
    const read = await service.call("GET", path, undefined, { authorization });
    assert.equal(read.status, 200);
    const change = await service.call("GET", `${path}?ttl=5000`, undefined, { authorization });
    assert.equal(change.status, 403);
  });

  test("large inputs and outputs pass unchanged, singly and in a batch", async (t) => {
    const service = await startService(t);
    const endpoint = await service.makeEndpoint();
    const worker = await service.makeWorker(endpoint);
    const texts = [3_000, 300_000, 3_000_000].map((length) => "é😀".repeat(length / 3));
    const ids = [];
    for (const text of texts) {
      const { json } = await service.call("POST", `/v2/${endpoint}/run`, { input: { text } });
      ids.push(json.id);
    }
    const { json: jobs } = await worker.call("job-take-batch", "?batch_size=5");
    const inputs = jobs.map((job: { input: unknown }) => job.input);
    assert.deepEqual(
      inputs,
      texts.map((text) => ({ text })),
    );
    for (const [n, id] of ids.entries()) {
      const output = [{ text: texts[n] }];
      await worker.call(`job-done/${id}`, "", JSON.stringify({ output }));
      const { json } = await service.call("GET", `/v2/${endpoint}/status/${id}`);
      assert.deepEqual(json.output, output);
    }
  });
});

/** A key with read permission for queues only. */
async function readKey(service: TestService): Promise<string> {
  const body = { name: "reader", permissions: { rest: "none", graphql: "none", queue: "read" } };
  const answer = await service.call("POST", "/v1/keys", body);
  assert.ok(answer.status < 300, answer.text);
  return answer.json.key;
}
