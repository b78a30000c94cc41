// Tests of the job list and of a job's history.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService, type TestService } from "../fixtures/service/service.ts";

async function run(service: TestService, endpoint: string, body: object = {}): Promise<string> {
  const answer = await service.call("POST", `/v2/${endpoint}/run`, { input: {}, ...body });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.id;
}

test("jobs are listed newest first, in pages", async (t) => {
  const service = await startService(t);
  const a = await service.makeEndpoint();
  const b = await service.makeEndpoint();
  const ids = [await run(service, a), await run(service, b), await run(service, a)].reverse();
  const list = async (query: string) => {
    const { json } = await service.call("GET", `/v1/jobs${query}`);
    return json.map((each: { id: string }) => each.id);
  };
  assert.deepEqual(await list(""), ids);
  assert.deepEqual(await list("?limit=2"), ids.slice(0, 2));
  assert.deepEqual(await list(`?before=${ids[1]}`), ids.slice(2));
  assert.deepEqual(await list(`?endpointId=${b}`), [ids[1]]);
  await service.call("POST", `/v2/${a}/cancel/${ids[0]}`);
  assert.deepEqual(await list("?status=CANCELLED"), [ids[0]]);
  const wrong = await service.call("GET", "/v1/jobs?status=DONE&limit=0");
  assert.match(
    wrong.json.message,
    /"status" must be one of "IN_QUEUE".*"limit" must be .* 1 to 1000/,
  );
  assert.equal((await service.call("GET", "/v1/jobs?before=nothere")).status, 404);
  const requests = await service.call("GET", `/v2/${a}/requests?before=${ids[0]}`);
  assert.deepEqual(
    requests.json.requests.map((each: { id: string }) => each.id),
    [ids[2]],
  );
  for (const [limit, said] of [
    ["-1", "-1"],
    ["1001", "1001"],
    ["abc", '"abc"'],
    ["1.5", '"1.5"'],
  ]) {
    const { status, json } = await service.call("GET", `/v2/${a}/requests?limit=${limit}`);
    assert.deepEqual([status, json.code], [400, "invalid_query"], limit);
    assert.equal(json.message, `"limit" must be a whole number from 1 to 1000; it is ${said}.`);
  }
});

test("jobs are found by worker, time, error and id, with their input and cost", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const input = { prompt: "a lighthouse" };
  const [failed, waiting] = [
    await run(service, endpoint, { input }),
    await run(service, endpoint, { input: { text: "x".repeat(300_000) } }),
  ];
  await worker.call("job-take");
  await worker.call(`job-done/${failed}`, "", '{"error":"CUDA out of memory"}');
  const list = async (query: string) => {
    const { json } = await service.call("GET", `/v1/jobs?${query}`);
    return json.map((each: { id: string }) => each.id);
  };
  assert.deepEqual(await list(`workerId=${worker.id}`), [failed]);
  assert.deepEqual(await list("error=cuda OUT"), [failed]);
  assert.deepEqual(await list("error=100%25"), []);
  assert.deepEqual(await list(`id=${waiting.slice(0, 13)}`), [waiting]);
  assert.deepEqual(await list("since=1h"), [waiting, failed]);
  assert.deepEqual(await list("until=1h"), []);
  const { json: jobs } = await service.call("GET", "/v1/jobs");
  assert.deepEqual(
    jobs.map((each: { inputStart?: string }) => each.inputStart?.length),
    [undefined, JSON.stringify(input).length],
  );
  assert.equal(jobs[0].cost, 0);
  for (const [query, expected] of [
    ["since=soon", /"since" must be an instant/],
    ["until=2026-13-01", /"until" must be an instant/],
    ["id=abc", /"id" must/],
  ] as const) {
    const refused = await service.call("GET", `/v1/jobs?${query}`);
    assert.equal(refused.status, 400);
    assert.match(refused.json.message, expected);
  }
});

test("a job has its complete history, and its input and output as received", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const input = '{"big":9007199254740993, "s":"\\u0000"}';
  const body = `{"input":${input},"policy":{"priority":3,"executionTimeout":7000},"webhook":"http://127.0.0.1:1/x"}`;
  const { json } = await service.call("POST", `/v2/${endpoint}/run`, body);
  const queued = await service.call("GET", `/v1/jobs/${json.id}`);
  assert.match(queued.json.story, /^job \S+ {2}queued \d+ ms so far, IN_QUEUE$/);
  await worker.call("job-take");
  const running = await service.call("GET", `/v1/jobs/${json.id}`);
  const [present] = running.json.attempts;
  assert.deepEqual(Object.keys(present), ["n", "workerId", "takenAt"]);
  await worker.call(`job-done/${json.id}`, "", '{"output":{"n":1.0}}');
  await worker.call(`job-done/${json.id}`, "", '{"output":"late"}');
  const answer = await service.call("GET", `/v1/jobs/${json.id}`);
  assert.equal(answer.status, 200, answer.text);
  assert.ok(answer.text.includes(`"input":${input},"output":{"n":1.0}}`), answer.text);
  assert.partialDeepStrictEqual(answer.json, {
    id: json.id,
    endpointId: endpoint,
    status: "COMPLETED",
    sync: false,
    priority: 3,
    lowPriority: false,
    workerId: worker.id,
    retries: 0,
    executionTimeoutMs: 7_000,
    webhook: "http://127.0.0.1:1/x",
    chunks: 0,
    chunksDelivered: 0,
    attempts: [{ n: 1, workerId: worker.id, outcome: "it completed" }],
    latePosts: [{ workerId: worker.id, kind: "job-done" }],
    deliveries: [{ n: 1, url: "http://127.0.0.1:1/x" }],
  });
  assert.match(answer.json.story, /queued .*, ran \d+ ms, COMPLETED$/);
  for (const key of ["submittedAt", "startedAt", "finishedAt", "expiresAt", "forgottenAt"]) {
    assert.equal(new Date(answer.json[key]).toISOString(), answer.json[key], key);
  }
});

test("every attempt is listed, those before a client's retry and the successful one too", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const [first, second] = [await service.makeWorker(endpoint), await service.makeWorker(endpoint)];
  const id = await run(service, endpoint);
  await first.call("job-take");
  const error = JSON.stringify({ error_type: "<class 'ValueError'>", error_message: "no" });
  await first.call(`job-done/${id}`, "", JSON.stringify({ error }));
  assert.equal((await service.call("POST", `/v2/${endpoint}/retry/${id}`)).status, 200);
  // A repeat of the old result is not the new one.
  const repeated = await first.call(`job-done/${id}`, "", JSON.stringify({ error }));
  assert.deepEqual([repeated.status, repeated.json], [200, { status: "late" }]);
  await second.call("job-take");
  await second.call(`job-done/${id}`, "", '{"output":1}');
  const { json } = await service.call("GET", `/v1/jobs/${id}`);
  assert.partialDeepStrictEqual(json, {
    status: "COMPLETED",
    attempts: [
      { n: 1, workerId: first.id, outcome: "its handler failed: ValueError: no" },
      { n: 2, workerId: second.id, outcome: "it completed" },
    ],
    latePosts: [{ workerId: first.id, kind: "job-done" }],
  });
  assert.equal(json.attempts.length, 2);
});

test("a long input and a long output are returned complete", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const long = "x".repeat(700_000);
  const id = await run(service, endpoint, { input: { long } });
  await worker.call("job-take");
  await worker.call(`job-done/${id}`, "", JSON.stringify({ output: [long] }));
  const { json } = await service.call("GET", `/v1/jobs/${id}`);
  assert.deepEqual([json.input, json.output], [{ long }, [long]]);
});

test("a key restricted to endpoints sees only their jobs", async (t) => {
  const service = await startService(t);
  const a = await service.makeEndpoint();
  const b = await service.makeEndpoint();
  const theirs = await run(service, b);
  const permissions = { queue: "read", endpoints: [a] };
  const { json: key } = await service.call("POST", "/v1/keys", { name: "k", permissions });
  const get = async (address: string) =>
    (await service.call("GET", address, undefined, { authorization: key.key })).status;
  assert.equal(await get(`/v1/jobs?endpointId=${a}`), 200);
  assert.equal(await get(`/v1/jobs?endpointId=${b}`), 403);
  assert.equal(await get("/v1/jobs"), 403);
  assert.equal(await get(`/v1/jobs/${theirs}`), 403);
});

test("a job of a deleted endpoint can still be read", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const id = await run(service, endpoint);
  await service.call("DELETE", `/v1/endpoints/${endpoint}`);
  const { json } = await service.call("GET", `/v1/jobs/${id}`);
  assert.deepEqual([json.status, json.error], ["CANCELLED", "its endpoint was deleted"]);
  assert.match(json.story, /CANCELLED: its endpoint was deleted$/);
  const unknown = await service.call("GET", "/v1/jobs/nothere");
  assert.deepEqual([unknown.status, unknown.json.code], [404, "job_not_found"]);
});
