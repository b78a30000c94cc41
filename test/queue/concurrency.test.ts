// Tests of concurrency keys through the queue.

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

suite("concurrency keys", { concurrency: 4 }, () => {
  test("a job beyond the limit of its key is IN_QUEUE, says why, and runs once another has ended", async (t) => {
    const { service, at, take, submit, done, endpoint } = await setUp(t);
    const concurrency = { key: "user-7", limit: 1 };
    const first = await submit({ concurrency });
    const second = await submit({ concurrency });
    assert.equal((await take()).id, first);
    const { json: status } = await service.call("GET", `${at}/status/${second}`);
    assert.deepEqual(status, { id: second, status: "IN_QUEUE" });
    const { json: health } = await service.call("GET", `${at}/health`);
    assert.deepEqual([health.jobs.inQueue, health.jobs.inProgress], [1, 1]);
    const { json: own } = await service.call("GET", `/v1/jobs/${second}`);
    assert.deepEqual([own.heldBy, own.concurrency], ["concurrency", concurrency]);
    const { json: why } = await service.call("GET", `/v1/why/${second}`);
    assert.equal(why.code, "concurrency_limit");
    assert.match(why.sentence, new RegExp(`"user-7".* 1 of 1 jobs .*\\(${first}\\)`));
    const { json: load } = await service.call("GET", `/v1/why/${endpoint}`);
    assert.equal(load.evidence.queue.waiting, 0, "a held job starts no worker");
    await done(first);
    assert.equal((await take()).id, second);
    await done(second);
    const { json: ended } = await service.call("GET", `/v1/jobs/${second}`);
    assert.deepEqual([ended.status, "heldBy" in ended], ["COMPLETED", false]);
  });

  test("cancel, purge and the end of an endpoint end held jobs", async (t) => {
    const { service, at, take, submit, endpoint } = await setUp(t);
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push(await submit({ concurrency: { key: "k", limit: 1 } }));
    const state = async (id: string) =>
      (await service.call("GET", `${at}/status/${id}`)).json.status;
    await take();
    await service.call("POST", `${at}/cancel/${ids[1]}`);
    assert.equal(await state(ids[1]!), "CANCELLED");
    const { json: purged } = await service.call("POST", `${at}/purge-queue`);
    assert.equal(purged.removed, 2);
    assert.deepEqual(await Promise.all(ids.map(state)), [
      "IN_PROGRESS",
      ...Array(3).fill("CANCELLED"),
    ]);
    const last = await submit({ concurrency: { key: "k", limit: 1 } });
    await service.call("DELETE", `/v1/endpoints/${endpoint}`);
    const jobOf = async () => (await service.call("GET", `/v1/jobs/${last}`)).json;
    await until(async () => (await jobOf()).status === "CANCELLED");
  });

  test("the keys of two endpoints are not the same", async (t) => {
    const { service, take, submit } = await setUp(t);
    const concurrency = { key: "k", limit: 1 };
    await submit({ concurrency });
    const other = await service.makeEndpoint();
    const worker = await service.makeWorker(other);
    const body = { input: {}, policy: { concurrency } };
    const { json } = await service.call("POST", `/v2/${other}/run`, body);
    assert.equal((await worker.call("job-take")).json.id, json.id);
    await take();
  });

  test("a concurrency that makes no sense is refused in a sentence", async (t) => {
    const { service, at } = await setUp(t);
    const refused: [unknown, RegExp][] = [
      ["user-7", /policy\.concurrency/],
      [{ key: "a" }, /policy\.concurrency\.limit/],
      [{ limit: 1 }, /policy\.concurrency\.key/],
      [{ key: "", limit: 1 }, /policy\.concurrency\.key/],
      [{ key: "x".repeat(1_024), limit: 1 }, /policy\.concurrency\.key.*256/],
      [{ key: 7, limit: 1 }, /policy\.concurrency\.key/],
      [{ key: "a", limit: 0 }, /policy\.concurrency\.limit/],
      [{ key: "a", limit: 1.5 }, /policy\.concurrency\.limit/],
      [{ key: "a", limit: 1_001 }, /policy\.concurrency\.limit/],
      [{ key: "a\u0000b", limit: 1 }, /policy\.concurrency\.key/],
      [{ key: "a", limit: 1, scope: "account" }, /scope/],
    ];
    for (const [concurrency, sentence] of refused) {
      const answer = await service.call("POST", `${at}/run`, {
        input: {},
        policy: { concurrency },
      });
      assert.equal(answer.status, 400, JSON.stringify(concurrency));
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
    const { status, json, text } = await service.call("POST", `${at}/run`, { input: {}, policy });
    assert.equal(status, 200, text);
    return json.id;
  };
  const take = async () => (await worker.call("job-take")).json;
  const done = (id: string) => worker.call(`job-done/${id}`, "", '{"output":1}');
  return { service, endpoint, at, submit, take, done };
}
