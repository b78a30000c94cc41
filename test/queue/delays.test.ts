// Tests of delayed jobs through the queue.

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

suite("delayed jobs", { concurrency: 4 }, () => {
  test("a delayed job is IN_QUEUE, is not handed out, and says when it starts", async (t) => {
    const { service, at, worker, submit } = await setUp(t);
    const id = await submit({ delay: 3_600, ttl: 10_000 });
    const later = await submit({});
    assert.equal((await worker.call("job-take", "?job_in_progress=0")).json.id, later);
    const { json: job } = await service.call("GET", `${at}/status/${id}`);
    assert.deepEqual(job, { id, status: "IN_QUEUE" });
    const { json: health } = await service.call("GET", `${at}/health`);
    assert.deepEqual([health.jobs.inQueue, health.jobs.inProgress], [1, 1]);
    const { json: own } = await service.call("GET", `/v1/jobs/${id}`);
    assert.equal(Date.parse(own.runAt) - Date.parse(own.submittedAt), 3_600_000);
    assert.equal(
      Date.parse(own.expiresAt) - Date.parse(own.runAt),
      10_000,
      "the ttl counts from then",
    );
    const { json: why } = await service.call("GET", `/v1/why/${id}`);
    assert.equal(why.code, "start_delayed");
    const { json: purged } = await service.call("POST", `${at}/purge-queue`);
    assert.equal(purged.removed, 1);
    assert.equal((await service.call("GET", `${at}/status/${id}`)).json.status, "CANCELLED");
  });

  test("it is handed out at its instant, and its delay time counts from then", async (t) => {
    const { service, at, worker, submit } = await setUp(t);
    const id = await submit({ runAt: new Date(Date.now() + 700).toISOString() });
    const taken = await until(async () => (await worker.call("job-take")).json);
    assert.equal(taken.id, id);
    const { json: own } = await service.call("GET", `/v1/jobs/${id}`);
    assert.equal("runAt" in own, false);
    await worker.call(`job-done/${id}`, "", '{"output":1}');
    assert.equal((await service.call("GET", `${at}/status/${id}`)).json.status, "COMPLETED");
  });

  test("a time to live set on a delayed job counts from its start", async (t) => {
    const { service, at, submit } = await setUp(t);
    const id = await submit({ delay: 600 });
    await service.call("GET", `${at}/status/${id}?ttl=5000`);
    const { json: own } = await service.call("GET", `/v1/jobs/${id}`);
    assert.equal(Date.parse(own.expiresAt) - Date.parse(own.runAt), 5_000);
  });

  test("a delayed job is no load of its endpoint", async (t) => {
    const { service, endpoint, submit } = await setUp(t);
    await submit({ delay: 3_600 });
    const { json: why } = await service.call("GET", `/v1/why/${endpoint}`);
    assert.equal(why.code, "idle");
  });

  test("a start that makes no sense is refused in a sentence", async (t) => {
    const { service, at } = await setUp(t);
    const refused: [object, RegExp][] = [
      [{ delay: -1 }, /policy\.delay/],
      [{ delay: 2_592_001 }, /policy\.delay/],
      [{ delay: "5" }, /policy\.delay/],
      [{ runAt: "soon" }, /"policy\.runAt\\" must be an ISO 8601 date and time with an offset/],
      [{ runAt: "2999-01-01T00:00:00Z" }, /at most 30 days ahead/],
      [{ delay: 1, runAt: "2027-01-01T00:00:00Z" }, /exclude each other/],
    ];
    for (const [policy, sentence] of refused) {
      const answer = await service.call("POST", `${at}/run`, { input: {}, policy });
      assert.equal(answer.status, 400, JSON.stringify(policy));
      assert.match(answer.text, sentence);
    }
  });
});

async function setUp(t: TestContext) {
  const service = await startService(t, { protocol: { pollHoldMs: 2_000 } });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const at = `/v2/${endpoint}`;
  const submit = async (policy: object): Promise<string> => {
    const body = { input: {}, policy };
    const { status, json, text } = await service.call("POST", `${at}/run`, body);
    assert.equal(status, 200, text);
    return json.id;
  };
  return { service, endpoint, worker, at, submit };
}
