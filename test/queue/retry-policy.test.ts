// Tests of retry policies through the queue: per job, per endpoint, and what clients see meanwhile.

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { markEnded } from "../../src/transactions/worker/observe.ts";
import { startService, type TestWorker } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

suite("retry policies", { concurrency: 4 }, () => {
  test("a handler's error is tried again, and clients see a waiting job IN_QUEUE", async (t) => {
    const { service, at, worker, submit, status } = await setUp(t);
    const id = await submit({ retry: { maxAttempts: 2, delay: 3_600 } });
    await fail(worker, id);
    const job = await status(id);
    assert.deepEqual([job.status, job.error, job.retries], ["IN_QUEUE", undefined, 1]);
    const { json: health } = await service.call("GET", `${at}/health`);
    assert.deepEqual([health.jobs.inQueue, health.jobs.retried], [1, 1]);
    const { json: own } = await service.call("GET", `/v1/jobs/${id}`);
    assert.ok(Date.parse(own.runAt) > Date.now());
    assert.equal(own.attempts[0].outcome, "its handler failed: no luck");
    assert.equal(own.retry.maxAttempts, 2);
    const { json: listed } = await service.call("GET", "/v1/jobs?status=IN_QUEUE");
    assert.deepEqual(
      listed.map((each: { id: string }) => each.id),
      [id],
    );
    const { json: why } = await service.call("GET", `/v1/why/${id}`);
    assert.equal(why.code, "retry_delayed");
    assert.match(
      why.sentence,
      /IN_QUEUE: attempt 2 of 2 begins in .* ended: its handler failed: no luck/,
    );
    const { json: cancelled } = await service.call("POST", `${at}/cancel/${id}`);
    assert.equal(cancelled.status, "CANCELLED");
  });

  test("the attempt after the pause gets the same input, and its result counts", async (t) => {
    const { worker, submit, status } = await setUp(t);
    const id = await submit({ retry: { delay: 0.2 } });
    await fail(worker, id);
    const taken = await takes(worker);
    assert.deepEqual([taken.id, taken.input, taken.retries], [id, { n: 1 }, 1]);
    await worker.call(`job-done/${id}`, "", '{"output":"good"}');
    const job = await status(id);
    assert.deepEqual([job.status, job.output, job.retries], ["COMPLETED", "good", 1]);
  });

  test("an endpoint's policy counts for its jobs, unless a job has its own", async (t) => {
    const { service, endpoint, worker, submit, status } = await setUp(t);
    const policy = { retryPolicy: { maxAttempts: 2, delay: 0 } };
    const change = await service.call("PATCH", `/v1/endpoints/${endpoint}`, policy);
    assert.equal(change.status, 200, change.text);
    assert.equal(change.json.version, 1, "no release");
    assert.deepEqual(change.json.retryPolicy, {
      maxAttempts: 2,
      on: ["error", "workerLost", "outOfMemory", "timeout"],
      delay: 0,
      factor: 2,
      maxDelay: 300,
      jitter: false,
    });
    const [usual, once] = [await submit({}), await submit({ retry: { maxAttempts: 1 } })];
    for (const id of [usual, usual, once]) await fail(worker, id);
    assert.deepEqual([(await status(usual)).retries, (await status(once)).retries], [1, undefined]);
    assert.equal((await status(usual)).error, "no luck");
    const off = await service.call("PATCH", `/v1/endpoints/${endpoint}`, { retryPolicy: null });
    assert.equal("retryPolicy" in off.json, false);
    const plain = await submit({});
    await fail(worker, plain);
    assert.equal((await status(plain)).status, "FAILED");
  });

  test("with jitter, a pause is between half of its length and the whole", async (t) => {
    const { service, worker, submit } = await setUp(t);
    const id = await submit({ retry: { delay: 3_600, maxDelay: 3_600, jitter: true } });
    const before = Date.now();
    await fail(worker, id);
    const { json: job } = await service.call("GET", `/v1/jobs/${id}`);
    const runAt = Date.parse(job.runAt);
    assert.ok(runAt >= before + 1_800_000 && runAt <= Date.now() + 3_600_000, job.runAt);
    assert.equal(job.retry.jitter, true);
  });

  test("an error that says that memory ran out counts as outOfMemory", async (t) => {
    const { worker, submit, status } = await setUp(t);
    const oom = JSON.stringify({
      error_type: "<class 'torch.OutOfMemoryError'>",
      error_message: "CUDA out of memory. Tried to allocate 2.00 GiB.",
    });
    const once = await submit({ retry: { delay: 0, on: ["error"] } });
    await fail(worker, once, oom);
    assert.equal((await status(once)).status, "FAILED");
    const again = await submit({ retry: { delay: 0, on: ["outOfMemory"] } });
    await fail(worker, again, oom);
    assert.deepEqual(
      [(await status(again)).status, (await status(again)).retries],
      ["IN_QUEUE", 1],
    );
    await fail(worker, again);
    assert.equal((await status(again)).error, "no luck", "another error is none of memory");
    const plain = await submit({});
    await fail(worker, plain, oom);
    assert.equal((await status(plain)).status, "FAILED", "without a policy");
  });

  test("a job that ends too many workers is quarantined with their ends as evidence", async (t) => {
    const { service, endpoint, worker, submit, status } = await setUp(t);
    const id = await submit({ retry: { maxAttempts: 10, delay: 0, quarantineAfter: 2 } });
    const second = await service.makeWorker(endpoint);
    for (const each of [worker, second]) {
      await takes(each);
      const end = { at: Date.now(), exitCode: 139, signal: null };
      await service.service.store.write(markEnded, each.id, end);
      await until(async () => (await status(id)).status !== "IN_PROGRESS");
    }
    const job = await status(id);
    assert.equal(job.status, "FAILED");
    assert.equal(job.error, "quarantined: 2 workers ended while they had the job");
    const { json: why } = await service.call("GET", `/v1/why/${id}`);
    assert.equal(why.code, "quarantined");
    assert.match(why.sentence, /ended with exit code 139/);
    assert.equal(why.evidence.ends.length, 2);
    await service.call("POST", `/v2/${endpoint}/retry/${id}`);
    assert.equal((await status(id)).status, "IN_QUEUE", "a client can retry it");
  });

  test("an execution timeout that the policy names is tried again, and the worker is stopped", async (t) => {
    const { service, endpoint, worker, submit, status } = await setUp(t);
    const retry = { maxAttempts: 2, on: ["timeout"], delay: 3_600 };
    const id = await submit({ executionTimeout: 5_000, retry });
    await takes(worker);
    const job = await until(async () => {
      const found = await status(id);
      return found.status === "IN_QUEUE" ? found : null;
    });
    assert.equal(job.retries, 1);
    assert.deepEqual((await worker.call("job-stop")).json, { jobsToStop: [id] });
    const { json: health } = await service.call("GET", `/v2/${endpoint}/health`);
    assert.deepEqual([health.jobs.inQueue, health.jobs.inProgress], [1, 0]);
  });

  test("a policy that makes no sense is refused by the name of its member", async (t) => {
    const { service, at, endpoint } = await setUp(t);
    const refused: [object, RegExp][] = [
      [{ maxAttempts: 0 }, /policy\.retry\.maxAttempts/],
      [{ maxAttempts: 101 }, /policy\.retry\.maxAttempts/],
      [{ on: ["bad luck"] }, /policy\.retry\.on/],
      [{ delay: -1 }, /policy\.retry\.delay/],
      [{ factor: 0.5 }, /policy\.retry\.factor/],
      [{ maxDelay: 86_401 }, /policy\.retry\.maxDelay/],
      [{ jitter: 0.5 }, /policy\.retry\.jitter/],
      [{ quarantineAfter: 0 }, /policy\.retry\.quarantineAfter/],
      [{ attempts: 3 }, /policy\.retry\.attempts/],
    ];
    for (const [retry, field] of refused) {
      const answer = await service.call("POST", `${at}/run`, { input: {}, policy: { retry } });
      assert.equal(answer.status, 400, JSON.stringify(retry));
      assert.match(answer.text, field);
    }
    const patch = { retryPolicy: { maxAttempts: 0 } };
    const change = await service.call("PATCH", `/v1/endpoints/${endpoint}`, patch);
    assert.equal(change.status, 400);
    assert.match(change.text, /retryPolicy\.maxAttempts/);
  });
});

async function setUp(t: TestContext) {
  const service = await startService(t, { protocol: { pollHoldMs: 2_000 } });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const at = `/v2/${endpoint}`;
  const submit = async (policy: object): Promise<string> => {
    const { status, json, text } = await service.call("POST", `${at}/run`, {
      input: { n: 1 },
      policy,
    });
    assert.equal(status, 200, text);
    return json.id;
  };
  const status = async (id: string) => (await service.call("GET", `${at}/status/${id}`)).json;
  return { service, endpoint, worker, at, submit, status };
}

/** Polls until there is a job. */
function takes(worker: TestWorker) {
  return until(async () => (await worker.call("job-take", "?job_in_progress=0")).json);
}

async function fail(worker: TestWorker, id: string, error = "no luck"): Promise<void> {
  assert.equal((await takes(worker)).id, id);
  assert.equal((await worker.call(`job-done/${id}`, "", JSON.stringify({ error }))).status, 200);
}
