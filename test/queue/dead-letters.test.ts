// Tests of failed jobs that are kept beyond their retention.

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

suite("dead letters", { concurrency: 4 }, () => {
  test("a failed job disappears from its queue and stays for its owner, who retries it", async (t) => {
    const { service, endpoint, at, worker, failed } = await setUp(t);
    // The result of its retry is read below, however slow the machine is.
    await service.call("PATCH", `/v1/endpoints/${endpoint}`, { resultRetentionMs: 600_000 });
    const id = await failed();
    await until(async () => (await service.call("GET", `${at}/status/${id}`)).status === 404);
    const job = await until(async () => {
      const { json } = await service.call("GET", `/v1/jobs/${id}`);
      return json.keptUntil ? json : null;
    });
    assert.equal(Date.parse(job.keptUntil) - Date.parse(job.finishedAt), 604_800_000);
    assert.deepEqual([job.input, job.attempts.length, job.error], [{ n: 1 }, 1, "no luck"]);
    assert.equal((await service.call("GET", `/v1/why/${id}`)).json.code, "handler_failed");
    assert.equal((await service.call("POST", `${at}/retry/${id}`)).status, 404);
    assert.equal((await service.call("POST", `${at}/cancel/${id}`)).status, 404);
    assert.equal((await service.call("GET", `${at}/stream/${id}`)).status, 404);
    const { json: requests } = await service.call("GET", `${at}/requests`);
    assert.deepEqual(requests.requests, []);
    const { json: listed } = await service.call("GET", "/v1/jobs?status=FAILED");
    assert.deepEqual(
      listed.map((each: { id: string }) => each.id),
      [id],
    );
    const retried = await service.call("POST", `/v1/jobs/${id}/retry`);
    assert.deepEqual([retried.status, retried.json.status], [200, "IN_QUEUE"]);
    assert.equal((await worker.call("job-take")).json.id, id);
    await worker.call(`job-done/${id}`, "", '{"output":"good"}');
    const { json: done } = await service.call("GET", `${at}/status/${id}`);
    assert.deepEqual([done.status, done.output], ["COMPLETED", "good"]);
    const again = await service.call("POST", `/v1/jobs/${id}/retry`);
    assert.deepEqual([again.status, again.json.code], [400, "not_retriable"]);
  });

  test("a bulk retry returns failed jobs to their queues, and shows its progress", async (t) => {
    const { service, endpoint, failed } = await setUp(t);
    const ids = [await failed(), await failed(), await failed()];
    const created = await service.call("POST", "/v1/job-operations", {
      action: "retry",
      filter: { error: "NO LUCK", finishedAfter: "1h" },
    });
    assert.deepEqual([created.status, created.json.status], [200, "RUNNING"], created.text);
    const path = `/v1/job-operations/${created.json.id}`;
    const done = await until(async () => {
      const { json } = await service.call("GET", path);
      return json.status === "COMPLETED" ? json : null;
    });
    assert.deepEqual([done.total, done.done], [3, 3]);
    assert.deepEqual(Object.keys(done.filter), ["error", "finishedAfter"]);
    for (const id of ids) {
      assert.equal((await service.call("GET", `/v1/jobs/${id}`)).json.status, "IN_QUEUE");
    }
    const { json: cancelled } = await service.call("POST", `${path}/cancel`);
    assert.equal(cancelled.status, "COMPLETED", "it had ended");
    const { json: listed } = await service.call("GET", "/v1/job-operations");
    assert.equal(listed[0].id, created.json.id);
    const refused: [object, number, RegExp][] = [
      [{ endpointId: "nothere" }, 404, /nothere/],
      [{ status: "COMPLETED" }, 400, /changes no job that is COMPLETED/],
      [{ status: "DONE" }, 400, /"filter.status"/],
      [{ error: "x".repeat(201) }, 400, /"filter.error"/],
      [{ finishedAfter: "yesterday" }, 400, /"finishedAfter"/],
      [{ state: "FAILED" }, 400, /"filter.state"/],
    ];
    for (const [filter, status, sentence] of refused) {
      const answer = await service.call("POST", "/v1/job-operations", { action: "retry", filter });
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.json.message, sentence);
    }
    assert.equal((await service.call("GET", "/v1/job-operations/nothere")).status, 404);
    assert.equal((await service.call("DELETE", `/v1/endpoints/${endpoint}`)).status, 204);
    const deleted = await service.call("POST", "/v1/job-operations", {
      action: "retry",
      filter: { endpointId: endpoint },
    });
    assert.equal(deleted.status, 404);
  });

  test("all waiting jobs of an endpoint are cancelled, and exported with their texts", async (t) => {
    const { service, endpoint, failed } = await setUp(t, { protocol: {} });
    const long = "x".repeat(300_000);
    const broken = await failed(long);
    const at = `/v2/${endpoint}`;
    const submit = async (body: string) =>
      (await service.call("POST", `${at}/run`, body)).json.id as string;
    const waiting = [await submit('{"input":{\n"a": 1}}'), await submit('{"input":{"b":2}}')];
    const cancel = { action: "cancel", filter: { endpointId: endpoint } };
    const { json } = await service.call("POST", "/v1/job-operations", cancel);
    const done = await until(async () => {
      const { json: read } = await service.call("GET", `/v1/job-operations/${json.id}`);
      return read.status === "COMPLETED" ? read : null;
    });
    assert.deepEqual([done.total, done.done], [2, 2]);
    const exported = await service.call("GET", `/v1/jobs/export?endpointId=${endpoint}`);
    const lines = exported.text.split("\n");
    assert.equal(lines.pop(), "");
    const jobs = lines.map((line) => JSON.parse(line));
    assert.deepEqual(
      jobs.map(({ id, status }) => [id, status]),
      [[broken, "FAILED"], ...waiting.map((id) => [id, "CANCELLED"])],
    );
    assert.deepEqual(
      [jobs[0].input.text.length, jobs[1].input, jobs[0].error],
      [long.length, { a: 1 }, "no luck"],
    );
    const { text: csv } = await service.call("GET", "/v1/jobs/export?format=csv&status=CANCELLED");
    assert.deepEqual(
      csv
        .trim()
        .split("\r\n")
        .map((line: string) => line.split(",")[0]),
      ["id", ...waiting],
    );
    const refused = await service.call("GET", "/v1/jobs/export?format=xml");
    assert.equal(refused.status, 400);
  });

  test("an endpoint that keeps no failures deletes them after their retention", async (t) => {
    const { service, endpoint, failed } = await setUp(t);
    const settings = { deadLetterRetentionMs: 0 };
    const change = await service.call("PATCH", `/v1/endpoints/${endpoint}`, settings);
    assert.deepEqual([change.status, change.json.version], [200, 1], change.text);
    const id = await failed();
    await until(async () => (await service.call("GET", `/v1/jobs/${id}`)).status === 404);
  });

  test("archives make room: over half of the account's storage they are deleted", async (t) => {
    const { service, failed } = await setUp(t, { env: { FREEHOLD_STORAGE_PER_ACCOUNT: "0.001" } });
    const id = await failed("x".repeat(600_000));
    // An answer is cut if its input is deleted meanwhile.
    const statusOf = () =>
      service.call("GET", `/v1/jobs/${id}`).then(
        ({ status }) => status,
        () => null,
      );
    await until(async () => (await statusOf()) === 404);
  });

  test("the archive of a deleted endpoint is deleted, and its jobs are not retried", async (t) => {
    const { service, endpoint, failed } = await setUp(t);
    const id = await failed();
    assert.equal((await service.call("DELETE", `/v1/endpoints/${endpoint}`)).status, 204);
    const refused = await service.call("POST", `/v1/jobs/${id}/retry`);
    assert.equal(refused.status, 404);
    await until(async () => (await service.call("GET", `/v1/jobs/${id}`)).status === 404);
  });
});

async function setUp(t: TestContext, config: object = {}) {
  const protocol = { pollHoldMs: 2_000, keepAsyncMs: 1_000, keepMinMs: 1 };
  const service = await startService(t, { protocol, ...config });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const at = `/v2/${endpoint}`;
  /** The id of a job that its handler failed. */
  const failed = async (text?: string): Promise<string> => {
    const input = text === undefined ? { n: 1 } : { text };
    const { json, text: answer } = await service.call("POST", `${at}/run`, { input });
    assert.ok(json.id, answer);
    await until(async () => (await worker.call("job-take", "?job_in_progress=0")).json);
    await worker.call(`job-done/${json.id}`, "", '{"error":"no luck"}');
    return json.id;
  };
  return { service, endpoint, worker, at, failed };
}
