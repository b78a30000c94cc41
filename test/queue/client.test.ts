// Tests of the queue's client interface: submit, wait, cancel, retry, purge, health, and expiry.

import assert from "node:assert/strict";
import { test } from "node:test";
import { documented, limits } from "../../src/domain/protocol.ts";
import { startService, type TestService, type TestWorker } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

/** The client calls for one endpoint. */
function client(service: TestService, endpoint: string) {
  const at = `/v2/${endpoint}`;
  return {
    run: (body: unknown = { input: {} }) => service.call("POST", `${at}/run`, body),
    runsync: (query = "", body: unknown = { input: {} }) =>
      service.call("POST", `${at}/runsync${query}`, body),
    get: (path: string) => service.call("GET", `${at}/${path}`),
    post: (path: string, body?: unknown) => service.call("POST", `${at}/${path}`, body),
  };
}

async function finishNext(worker: TestWorker, body: string): Promise<string> {
  const { json } = await worker.call("job-take", "?job_in_progress=0");
  await worker.call(`job-done/${json.id}`, "", body);
  return json.id;
}

test("run returns exactly an id and IN_QUEUE, whatever optional fields are sent", async (t) => {
  const service = await startService(t);
  const { run } = client(service, await service.makeEndpoint());
  const bodies = [
    { input: {} },
    { input: { a: 1 }, webhook: "https://example.org/hook" },
    { input: {}, policy: { executionTimeout: 5_000, ttl: 10_000, lowPriority: true } },
    { input: {}, policy: null, webhook: null, s3Config: null },
    { input: {}, policy: { executionTimeout: null, ttl: null, lowPriority: null } },
    { input: {}, s3Config: { accessId: null, bucketName: "b" } },
    {
      input: {},
      s3Config: { accessId: "a", accessSecret: "s", bucketName: "b", endpointUrl: "u" },
    },
  ];
  for (const body of bodies) {
    const { status, json, headers } = await run(body);
    assert.equal(status, 200, JSON.stringify(json));
    assert.deepEqual(Object.keys(json), ["id", "status"]);
    assert.match(json.id, /^[A-Za-z0-9-]+$/);
    assert.equal(json.status, "IN_QUEUE");
    assert.match(headers.get("content-type") ?? "", /^application\/json/);
  }
});

const refusals: [body: unknown, says: RegExp][] = [
  ["{", /JSON/],
  ["[]", /array/],
  ["null", /null/],
  ["{}", /"input".*missing/],
  ['{"input":null}', /"input".*null/],
  ['{"input":[]}', /"input".*array/],
  ['{"input":"text"}', /"input".*string/],
  ['{"input":7}', /"input".*number/],
  ['{"input":{},"policy":{"ttl":9999}}', /policy\.ttl/],
  ['{"input":{},"policy":{"executionTimeout":"5000"}}', /policy\.executionTimeout/],
  ['{"input":{},"webhook":"ftp://x"}', /webhook/],
  [
    '{"input":{},"policy":{"executionTimeut":5000}}',
    /policy\.executionTimeut.*Did you mean "executionTimeout"/,
  ],
  [`{"input":{},"policy":{"tll":"${"x".repeat(65_536)}"}}`, /"policy" is longer than 65536 bytes/],
  [
    `{"input":{},"s3Config":{"a":"${"x".repeat(65_536)}"}}`,
    /"s3Config" is longer than 65536 bytes/,
  ],
  [
    `{"input":{},"webhook":"http://x/${"x".repeat(65_536)}"}`,
    /"webhook" is longer than 65536 bytes/,
  ],
  [`{"input":{},"${"x".repeat(65_536)}":1}`, /The name of a member is longer than 65536 bytes/],
  ['{"input":{},"webhook":"http://x/\\ud83d"}', /"webhook" has half of a surrogate pair/],
  ['{"input":{},"webhook":"http://x/\\u0000"}', /"webhook" has a NUL character/],
  ['{"input":{},"policy":{"tll":null}}', /policy\.tll.*Did you mean "ttl"/],
  ['{"input":{},"policy":{"retry":null}}', /policy\.retry/],
  ['{"input":{},"polcy":{"ttl":10000}}', /"polcy".*Did you mean "policy"/],
  ['{"Input":{}}', /"Input".*Did you mean "input"/],
  ['{"input":{},"stream":true}', /"stream".*Valid fields are input, webhook, policy, s3Config/],
  ['{"input":{"x":NaN}}', /JSON/],
];

test("a rejected submit says what is wrong", async (t) => {
  const service = await startService(t);
  const { run, runsync, get } = client(service, await service.makeEndpoint());
  for (const [body, says] of refusals) {
    for (const answer of [await run(body), await runsync("", body)]) {
      assert.equal(answer.status, 400, String(body));
      assert.match(answer.json.error, says);
      assert.equal(answer.json.message, answer.json.error);
    }
  }
  assert.equal((await runsync("?wait=soon")).status, 400);
  assert.equal((await get("health")).json.jobs.inQueue, 0);
});

test("bodies up to the limit are accepted; larger ones are 413, after the key is checked", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const { run, runsync } = client(service, endpoint);
  const sized = (bytes: number) => `{"input":{"x":"${"x".repeat(bytes - 18)}"}}`;
  assert.equal(Buffer.byteLength(sized(100)), 100);
  assert.equal((await run(sized(limits.runBytes))).status, 200);
  const refused = await run(sized(limits.runBytes + 1));
  assert.deepEqual([refused.status, refused.json.code], [413, "payload_too_large"]);
  assert.equal((await runsync("?wait=1", sized(limits.runsyncBytes + 1))).status, 413);
  assert.equal((await runsync("?wait=1", sized(limits.runsyncBytes))).status, 200);
  const otherAccount = { authorization: "nobody" };
  const over = sized(limits.runBytes + 1);
  const first = await service.call("POST", `/v2/${endpoint}/run`, over, otherAccount);
  assert.equal(first.status, 401);
});

test("runsync returns the complete job, with integer numbers, as soon as it ends", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const answer = client(service, endpoint).runsync();
  await finishNext(worker, '{"output":{"x":1}}');
  const { status, json, text } = await answer;
  assert.equal(status, 200);
  const names = ["delayTime", "executionTime", "id", "output", "status", "workerId"];
  assert.deepEqual(Object.keys(json).toSorted(), names);
  assert.ok(Number.isInteger(json.delayTime) && Number.isInteger(json.executionTime));
  assert.match(json.id, /^sync-/);
  assert.ok(!text.includes("null"));
});

test("runsync that times out returns the state, and the id remains valid", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const { runsync, get, post } = client(service, endpoint);
  const { status, json } = await runsync("?wait=10"); // brought up to the least there is, a second
  assert.deepEqual([status, json.status, Object.keys(json)], [200, "IN_QUEUE", ["id", "status"]]);
  const waiting = [get(`status-sync/${json.id}?wait=999999999`), post(`status-sync/${json.id}`)];
  await finishNext(worker, '{"output":7}');
  for (const { status, json } of await Promise.all(waiting)) {
    assert.deepEqual([status, json.status, json.output], [200, "COMPLETED", 7]);
  }
});

test("GET and POST are the same for status, status-sync and stream", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const { run, get, post } = client(service, endpoint);
  const { id } = (await run()).json;
  await finishNext(worker, '{"output":[1]}');
  for (const path of [`status/${id}`, `status-sync/${id}?wait=1000`, `stream/${id}?wait=90000`]) {
    const [got, posted] = [await get(path), await post(path)];
    assert.deepEqual([got.status, posted.status], [200, 200]);
    assert.equal(got.text, posted.text);
  }
  // A job that is no generator streams nothing and ends.
  assert.deepEqual((await get(`stream/${id}`)).json, { status: "COMPLETED", stream: [] });
});

test("an empty stream is released long before the shortest client timeout", async (t) => {
  const service = await startService(t);
  const { run, get } = client(service, await service.makeEndpoint());
  const { id } = (await run()).json;
  const askedAt = Date.now();
  assert.deepEqual((await get(`stream/${id}`)).json, { status: "IN_QUEUE", stream: [] });
  const tookMs = Date.now() - askedAt;
  assert.ok(tookMs > 1_000, `it was held for ${tookMs} ms`);
  assert.ok(documented.streamHoldMs < 9_000);
});

test("a cancelled queued job never runs, and cancelling an ended job returns it unchanged", async (t) => {
  const service = await startService(t, { protocol: { pollHoldMs: 200 } });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const { run, get, post } = client(service, endpoint);
  const { id } = (await run()).json;
  const waiting = get(`status-sync/${id}`);
  const { status, json } = await post(`cancel/${id}`);
  assert.deepEqual([status, json.id, json.status], [200, id, "CANCELLED"]);
  assert.equal((await waiting).json.status, "CANCELLED");
  assert.deepEqual((await get(`stream/${id}`)).json, { status: "CANCELLED", stream: [] });
  assert.equal((await worker.call("job-take")).status, 204);
  const { id: second } = (await run()).json;
  await finishNext(worker, '{"output":1}');
  assert.equal((await post(`cancel/${second}`)).json.status, "COMPLETED");
  assert.equal((await post("cancel/unknown-id")).status, 404);
});

test("a failed job is retried under its id, and other jobs are not", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const { run, get, post } = client(service, endpoint);
  const input = { é: [1, null] };
  const { id } = (await run({ input })).json;
  assert.deepEqual((await post(`retry/${id}`)).status, 400);
  const { json: first } = await worker.call("job-take");
  assert.equal((await post(`retry/${id}`)).status, 400);
  await worker.call(`job-stream/${id}`, "", '{"output":"old chunk"}');
  await worker.call(`job-done/${id}`, "", '{"error":"once","output":"old"}');
  const retried = await post(`retry/${id}`);
  assert.deepEqual([retried.status, retried.json], [200, { id, status: "IN_QUEUE" }]);
  assert.deepEqual((await get(`status/${id}`)).json, { id, status: "IN_QUEUE" });
  const { json: second } = await worker.call("job-take");
  assert.deepEqual(second, first);
  await worker.call(`job-done/${id}`, "", '{"output":"new"}');
  const { json } = await get(`status/${id}`);
  assert.deepEqual([json.status, json.output, json.error], ["COMPLETED", "new", undefined]);
  assert.deepEqual((await get(`stream/${id}`)).json.stream, []);
  assert.equal((await post(`retry/${id}`)).status, 400);
  assert.equal((await post("retry/unknown-id")).status, 404);
  const { jobs } = (await get("health")).json;
  assert.deepEqual([jobs.failed, jobs.retried, jobs.completed], [1, 1, 1]);
});

test("purge-queue removes queued jobs and keeps running ones", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const { run, get, post } = client(service, endpoint);
  const { id: runs } = (await run()).json;
  await worker.call("job-take");
  const waits = [(await run()).json.id, (await run()).json.id];
  const { status, json } = await post("purge-queue");
  assert.deepEqual([status, json], [200, { removed: 2, status: "completed" }]);
  for (const id of waits) {
    const { json } = await get(`status/${id}`);
    assert.deepEqual([json.status, json.error], ["CANCELLED", "removed by purge-queue"]);
  }
  assert.equal((await get(`status/${runs}`)).json.status, "IN_PROGRESS");
  assert.deepEqual((await get("health")).json.jobs, {
    completed: 0,
    failed: 0,
    inProgress: 1,
    inQueue: 0,
    retried: 0,
  });
});

test("purge-queue empties a queue larger than one batch", async (t) => {
  const service = await startService(t);
  const { run, get, post } = client(service, await service.makeEndpoint());
  await Promise.all(Array.from({ length: 450 }, () => run()));
  assert.deepEqual((await post("purge-queue")).json, { removed: 450, status: "completed" });
  assert.equal((await get("health")).json.jobs.inQueue, 0);
});

test("health has all its numbers, also on an unused endpoint", async (t) => {
  const service = await startService(t);
  const { get } = client(service, await service.makeEndpoint({ spec: { workersMax: 0 } }));
  const { status, json } = await get("health");
  assert.equal(status, 200);
  assert.deepEqual(json, {
    jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
    workers: { idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0, unhealthy: 0 },
  });
  const metrics = await get("metrics");
  assert.deepEqual(metrics.json, { readyWorkers: [], workers: json.workers });
});

test("a job past its time to live is TIMED_OUT, deleted later, and never dispatched", async (t) => {
  const service = await startService(t, { protocol: { keepAsyncMs: 1_000, pollHoldMs: 200 } });
  const endpoint = await service.makeEndpoint();
  const { run, get, post } = client(service, endpoint);
  const { id } = (await run()).json;
  assert.equal((await get(`status/${id}?ttl=999`)).status, 400);
  assert.equal((await get(`status/${id}?ttl=1000`)).json.status, "IN_QUEUE");
  const { json } = await get(`status-sync/${id}?wait=90000`);
  assert.equal(json.status, "TIMED_OUT");
  assert.equal(typeof json.error, "string");
  const worker = await service.makeWorker(endpoint);
  assert.equal((await worker.call("job-take")).status, 204);
  const isForgotten = async () => {
    const { status } = await get(`status/${id}`);
    return status === 404;
  };
  await until(isForgotten);
  assert.equal((await get(`stream/${id}`)).status, 404);
  assert.equal((await post(`retry/${id}`)).status, 404);
});

test("an address is parsed leniently, and an unknown one is 404 in JSON", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  for (const path of [`//v2/${endpoint}/health`, `/v2//${endpoint}//health`]) {
    assert.equal((await service.call("GET", path)).status, 200, path);
  }
  for (const path of ["/v2/unknown/health", `/v2/${endpoint}/status/unknown`, "/v2/x/y/z"]) {
    const { status, json } = await service.call("GET", path);
    assert.equal(status, 404, path);
    assert.equal(typeof json.error, "string");
  }
});
