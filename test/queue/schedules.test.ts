// Tests of schedules through their public interface.

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { SkewedClock } from "../fixtures/time/skewed-clock.ts";
import { until } from "../fixtures/until.ts";

const START = "2027-01-30T10:00:00Z";

suite("schedules", { concurrency: 4 }, () => {
  test("a schedule submits a job at its instant, with the input as it was written", async (t) => {
    const { service, clock, endpoint, create } = await setUp(t);
    const input = '{"n": 12345678901234567890, "text": "\\u00e9"}';
    const { status, json, text } = await service.call(
      "POST",
      "/v1/schedules",
      `{"endpointId":"${endpoint}","name":"nightly","cron":"0 2 * * *","timeZone":"Europe/Berlin","input":${input}}`,
    );
    assert.equal(status, 200, text);
    assert.ok(text.includes(`"input":${input}`), text);
    assert.deepEqual(
      [json.status, json.concurrencyPolicy, json.missedRunPolicy, json.nextRuns.length],
      ["ACTIVE", "ALLOW", "SKIP", 5],
    );
    assert.equal(json.nextRuns[0], "2027-01-31T01:00:00.000Z");
    clock.jump(15 * 3_600_000);
    await create({ name: "another" }); // wakes the loop, which has not noticed the jump
    const at = `/v1/schedules/${json.id}`;
    const [run] = await until(async () => {
      const { json: runs } = await service.call("GET", `${at}/runs`);
      return runs.length > 0 ? runs : null;
    });
    assert.deepEqual(
      [run.n, run.trigger, run.scheduledAt, run.outcome],
      [1, "SCHEDULE", "2027-01-31T01:00:00.000Z", "SUBMITTED"],
    );
    const job = await service.call("GET", `/v1/jobs/${run.jobId}`);
    assert.ok(job.text.includes(`"input":${input}`), job.text);
    const { json: after } = await service.call("GET", at);
    assert.deepEqual(
      [after.lastRun.jobId, after.nextRuns[0]],
      [run.jobId, "2027-02-01T01:00:00.000Z"],
    );
    const { json: listed } = await service.call("GET", `/v1/schedules?endpointId=${endpoint}`);
    assert.deepEqual(
      listed.map((each: { name: string }) => each.name),
      ["another", "nightly"],
    );
    assert.ok(!("input" in listed[0]));
    const metrics = await service.call("GET", "/metrics");
    if (service.replicas.length === 1)
      assert.match(metrics.text, /freehold_schedule_runs_total\{outcome="SUBMITTED"\} 1/);
  });

  test("pause, resume, run now, change and delete", async (t) => {
    const { service, create } = await setUp(t);
    const { id } = await create({ policy: { priority: 3 }, webhook: "https://example.com/hook" });
    const at = `/v1/schedules/${id}`;
    const paused = await service.call("POST", `${at}/pause`);
    assert.deepEqual([paused.json.status, paused.json.nextRuns], ["PAUSED", []]);
    const { json: run } = await service.call("POST", `${at}/run`);
    assert.deepEqual([run.n, run.trigger, run.outcome], [1, "MANUAL", "SUBMITTED"]);
    const { json: job } = await service.call("GET", `/v1/jobs/${run.jobId}`);
    assert.deepEqual([job.priority, job.webhook], [3, "https://example.com/hook"]);
    const changed = await service.call("PATCH", at, { cron: "@hourly", webhook: null });
    assert.deepEqual(
      [changed.json.cron, changed.json.status, changed.json.input, "webhook" in changed.json],
      ["@hourly", "PAUSED", { n: 1 }, false],
    );
    const resumed = await service.call("POST", `${at}/resume`);
    assert.deepEqual([resumed.json.status, resumed.json.nextRuns.length], ["ACTIVE", 5]);
    const { json: renamed } = await service.call("PATCH", at, { name: "b", input: { n: 2 } });
    assert.deepEqual([renamed.name, renamed.input, renamed.cron], ["b", { n: 2 }, "@hourly"]);
    assert.equal((await service.call("DELETE", at)).status, 204);
    for (const [method, path] of [
      ["GET", at],
      ["DELETE", at],
      ["POST", `${at}/run`],
      ["GET", `${at}/runs`],
    ] as const) {
      const missing = await service.call(method, path);
      assert.deepEqual([missing.status, missing.json.code], [404, "schedule_not_found"], path);
    }
    assert.equal((await service.call("GET", `/v1/jobs/${run.jobId}`)).json.status, "IN_QUEUE");
    const { json: audit } = await service.call("GET", `/v1/audit?resourceId=${id}`);
    assert.deepEqual(
      audit
        .map((each: { operation: string }) => each.operation)
        .reverse()
        .slice(0, 4),
      ["createSchedule", "pauseSchedule", "runSchedule", "updateSchedule"],
    );
  });

  test("a repeated request with an Idempotency-Key creates one schedule", async (t) => {
    const { service, body } = await setUp(t);
    const key = { "idempotency-key": "nightly" };
    const [first, second] = [
      await service.call("POST", "/v1/schedules", body(), key),
      await service.call("POST", "/v1/schedules", body(), key),
    ];
    assert.equal(second.json.id, first.json.id);
    assert.equal((await service.call("GET", "/v1/schedules")).json.length, 1);
    const other = await service.call("POST", "/v1/schedules", body({ name: "other" }), key);
    assert.deepEqual([other.status, other.json.code], [409, "idempotency_conflict"]);
  });

  test("an endpoint that is deleted takes its schedules with it", async (t) => {
    const { service, endpoint, create } = await setUp(t);
    const { id } = await create();
    assert.equal((await service.call("DELETE", `/v1/endpoints/${endpoint}`)).status, 204);
    assert.equal((await service.call("GET", `/v1/schedules/${id}`)).status, 404);
  });

  test("what cannot be scheduled is refused in a sentence", async (t) => {
    const { service, body, create } = await setUp(t);
    const { id } = await create();
    const balanced = await service.makeEndpoint({ spec: { type: "LB" } });
    const refused: [object, number, RegExp][] = [
      [{ cron: "61 * * * *" }, 400, /"cron" must be a cron expression such as .* minute: 61/],
      [{ cron: "*/30 * * * * *" }, 400, /five fields/],
      [{ cron: "0 0 30 2 *" }, 400, /never due/],
      [{ cron: "x".repeat(201) }, 400, /"cron"/],
      [{ timeZone: "Mars/Base" }, 400, /"timeZone" must be a time zone .* such as Europe\/Berlin/],
      [{ endpointId: "nothere" }, 404, /nothere/],
      [{ endpointId: balanced }, 400, /has no queue/],
      [{ webhook: "ftp://example.com" }, 400, /"webhook"/],
      [{ input: [1] }, 400, /"input"/],
      [{ input: { text: "x".repeat(70_000) } }, 400, /at most 65536/],
      [{ concurrencyPolicy: "Never" }, 400, /"concurrencyPolicy"/],
      [{ catchUpWindowMs: 1 }, 400, /"catchUpWindowMs"/],
      [{ policy: { delay: 5 } }, 400, /"policy.delay"/],
      [{ schedule: "@daily" }, 400, /"schedule"/],
    ];
    for (const [wrong, status, sentence] of refused) {
      const answer = await service.call("POST", "/v1/schedules", body(wrong));
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.json.message, sentence);
    }
    for (const [wrong, sentence] of [
      [{ cron: "hello" }, /"cron"/],
      [{ timeZone: "" }, /"timeZone"/],
      [{ endpointId: "other" }, /"endpointId"/],
    ] as const) {
      const answer = await service.call("PATCH", `/v1/schedules/${id}`, wrong);
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.json.message, sentence);
    }
    const empty = await service.call("POST", "/v1/schedules", "");
    assert.equal(empty.status, 400, empty.text);
    const preview = (query: string) => service.call("GET", `/v1/schedule-preview?${query}`);
    assert.equal(
      (await preview("cron=0+12+*+*+*&timeZone=Asia/Tokyo")).json.nextRuns[0],
      "2027-01-31T03:00:00.000Z",
    );
    for (const query of ["", "cron=hello", "cron=@daily&timeZone=Mars"]) {
      const answer = await preview(query);
      assert.deepEqual([answer.status, answer.json.code], [400, "invalid_query"], query);
    }
  });

  test("a key needs the queue to schedule jobs, and sees schedules of its endpoints only", async (t) => {
    const { service, body, create } = await setUp(t);
    const { id } = await create();
    const other = await service.makeEndpoint();
    const keyWith = async (permissions: object) => {
      const { json, text } = await service.call("POST", "/v1/keys", { name: "k", permissions });
      assert.ok(json.key, text);
      return { authorization: `Bearer ${json.key}` };
    };
    const withoutQueue = await keyWith({ rest: "write" });
    for (const [method, path, content] of [
      ["POST", "/v1/schedules", body()],
      ["POST", `/v1/schedules/${id}/run`, undefined],
      ["DELETE", `/v1/schedules/${id}`, undefined],
    ] as const) {
      const answer = await service.call(method, path, content, withoutQueue);
      assert.deepEqual([answer.status, answer.json.code], [403, "forbidden"], answer.text);
    }
    assert.equal(
      (await service.call("GET", `/v1/schedules/${id}`, undefined, withoutQueue)).status,
      200,
    );
    const restricted = await keyWith({ rest: "write", queue: "write", endpoints: [other] });
    assert.deepEqual((await service.call("GET", "/v1/schedules", undefined, restricted)).json, []);
    const one = await service.call("GET", `/v1/schedules/${id}`, undefined, restricted);
    assert.equal(one.status, 403, one.text);
  });
});

async function setUp(t: TestContext) {
  const clock = new SkewedClock(START);
  const service = await startService(t, { clock });
  const endpoint = await service.makeEndpoint();
  const body = (changes: object = {}) => ({
    endpointId: endpoint,
    name: "daily",
    cron: "@daily",
    input: { n: 1 },
    ...changes,
  });
  const create = async (changes: object = {}) => {
    const { status, json, text } = await service.call("POST", "/v1/schedules", body(changes));
    assert.equal(status, 200, text);
    return json as { id: string };
  };
  return { service, clock, endpoint, body, create };
}
