// How long a job is kept: what was chosen for it, and what its kind of submit promises.

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { startHouse, type TestHouse, type TestWorker } from "../house.ts";

async function finishNext(worker: TestWorker): Promise<string> {
  const { json } = await worker.call("job-take", "?job_in_progress=0");
  await worker.call(`job-stream/${json.id}`, "", '{"output":"chunk"}');
  await worker.call(`job-done/${json.id}`, "", JSON.stringify({ output: "x".repeat(5_000) }));
  return json.id;
}

/** Waits until a job is forgotten; fails if the sweep passes it over again and again. */
async function isForgotten(house: TestHouse, endpoint: string, id: string): Promise<void> {
  for (let n = 0; ; n++) {
    const { status } = await house.call("GET", `/v2/${endpoint}/status/${id}`);
    if (status === 404) return;
    assert.ok(n < 600, `job ${id} is kept`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

suite("retention", { concurrency: 4 }, () => {
  test("a runsync result goes before a run result, later where wait was given", async (t) => {
    const protocol = { keepSyncMs: 500, keepSyncWaitMs: 60_000, keepAsyncMs: 60_000 };
    const house = await startHouse(t, { protocol });
    const endpoint = await house.makeEndpoint();
    const worker = await house.makeWorker(endpoint);
    const at = `/v2/${endpoint}`;
    const submits = ["runsync", "runsync?wait=5000", "run"].map(async (path) => {
      return (await house.call("POST", `${at}/${path}`, { input: {} })).json.id;
    });
    for (const _ of submits) await finishNext(worker);
    const [short, long, run] = await Promise.all(submits);
    await isForgotten(house, endpoint, short);
    for (const route of ["status-sync", "stream"]) {
      assert.equal((await house.call("GET", `${at}/${route}/${short}`)).status, 404);
    }
    for (const id of [long, run]) {
      assert.equal((await house.call("GET", `${at}/status/${id}`)).json.status, "COMPLETED");
    }
    const { json } = await house.call("GET", `${at}/health`);
    assert.equal(json.jobs.completed, 2);
  });

  test("a time to live set on an ended job moves the end of its retention", async (t) => {
    const house = await startHouse(t);
    const endpoint = await house.makeEndpoint();
    const worker = await house.makeWorker(endpoint);
    const { id } = (await house.call("POST", `/v2/${endpoint}/run`, { input: {} })).json;
    await finishNext(worker);
    const answer = await house.call("GET", `/v2/${endpoint}/status/${id}?ttl=1000`);
    assert.equal(answer.json.status, "COMPLETED");
    await isForgotten(house, endpoint, id);
  });

  test("a running job whose time to live runs out is stopped", async (t) => {
    const house = await startHouse(t);
    const endpoint = await house.makeEndpoint();
    const worker = await house.makeWorker(endpoint);
    const { id } = (await house.call("POST", `/v2/${endpoint}/run`, { input: {} })).json;
    await worker.call("job-take");
    const stop = worker.call("job-stop");
    await house.call("GET", `/v2/${endpoint}/status/${id}?ttl=1000`);
    const { json } = await house.call("GET", `/v2/${endpoint}/status-sync/${id}?wait=10000`);
    assert.equal(json.status, "TIMED_OUT");
    assert.match(json.error, /while it was running/);
    assert.deepEqual((await stop).json, { jobsToStop: [id] });
  });

  test("setting a time to live is a change, and needs a key that may change", async (t) => {
    const house = await startHouse(t);
    const endpoint = await house.makeEndpoint();
    const { id } = (await house.call("POST", `/v2/${endpoint}/run`, { input: {} })).json;
    const path = `/v2/${endpoint}/status/${id}`;
    for (const ttl of ["999", "604800001", "soon", "-1"]) {
      assert.equal((await house.call("GET", `${path}?ttl=${ttl}`)).status, 400, ttl);
    }
    const key = await readKey(house);
    const authorization = key;
    const read = await house.call("GET", path, undefined, { authorization });
    assert.equal(read.status, 200);
    const change = await house.call("GET", `${path}?ttl=5000`, undefined, { authorization });
    assert.equal(change.status, 403);
  });

  test("large inputs and outputs pass whole, one by one and in a batch", async (t) => {
    const house = await startHouse(t);
    const endpoint = await house.makeEndpoint();
    const worker = await house.makeWorker(endpoint);
    const texts = [3_000, 300_000, 3_000_000].map((length) => "é😀".repeat(length / 3));
    const ids = [];
    for (const text of texts) {
      const { json } = await house.call("POST", `/v2/${endpoint}/run`, { input: { text } });
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
      const { json } = await house.call("GET", `/v2/${endpoint}/status/${id}`);
      assert.deepEqual(json.output, output);
    }
  });
});

/** A key that may look at queues and change nothing. */
async function readKey(house: TestHouse): Promise<string> {
  const body = { name: "reader", permissions: { rest: "none", graphql: "none", queue: "read" } };
  const answer = await house.call("POST", "/v1/keys", body);
  assert.ok(answer.status < 300, answer.text);
  return answer.json.key;
}
