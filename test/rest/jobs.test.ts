// Jobs as their owner looks back on them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startHouse, type TestHouse } from "../house.ts";

async function run(house: TestHouse, endpoint: string, body: object = {}): Promise<string> {
  const answer = await house.call("POST", `/v2/${endpoint}/run`, { input: {}, ...body });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.id;
}

test("jobs are listed the newest first, a page at a time", async (t) => {
  const house = await startHouse(t);
  const a = await house.makeEndpoint();
  const b = await house.makeEndpoint();
  const ids = [await run(house, a), await run(house, b), await run(house, a)].reverse();
  const list = async (query: string) => {
    const { json } = await house.call("GET", `/v1/jobs${query}`);
    return json.map((each: { id: string }) => each.id);
  };
  assert.deepEqual(await list(""), ids);
  assert.deepEqual(await list("?limit=2"), ids.slice(0, 2));
  assert.deepEqual(await list(`?before=${ids[1]}`), ids.slice(2));
  assert.deepEqual(await list(`?endpointId=${b}`), [ids[1]]);
  await house.call("POST", `/v2/${a}/cancel/${ids[0]}`);
  assert.deepEqual(await list("?status=CANCELLED"), [ids[0]]);
  const wrong = await house.call("GET", "/v1/jobs?status=DONE&limit=0");
  assert.match(
    wrong.json.message,
    /"status" must be one of "IN_QUEUE".*"limit" must be .* 1 to 1000/,
  );
  assert.equal((await house.call("GET", "/v1/jobs?before=nothere")).status, 404);
  const requests = await house.call("GET", `/v2/${a}/requests?before=${ids[0]}`);
  assert.deepEqual(
    requests.json.requests.map((each: { id: string }) => each.id),
    [ids[2]],
  );
});

test("a job's whole story, its input and output as they came in", async (t) => {
  const house = await startHouse(t);
  const endpoint = await house.makeEndpoint();
  const worker = await house.makeWorker(endpoint);
  const input = '{"big":9007199254740993, "s":"\\u0000"}';
  const body = `{"input":${input},"policy":{"priority":3,"executionTimeout":7000},"webhook":"http://127.0.0.1:1/x"}`;
  const { json } = await house.call("POST", `/v2/${endpoint}/run`, body);
  const queued = await house.call("GET", `/v1/jobs/${json.id}`);
  assert.match(queued.json.story, /^job \S+ {2}queued \d+ ms so far, IN_QUEUE$/);
  await worker.call("job-take");
  await worker.call(`job-done/${json.id}`, "", '{"output":{"n":1.0}}');
  await worker.call(`job-done/${json.id}`, "", '{"output":"late"}');
  const told = await house.call("GET", `/v1/jobs/${json.id}`);
  assert.equal(told.status, 200, told.text);
  assert.ok(told.text.includes(`"input":${input},"output":{"n":1.0}}`), told.text);
  assert.partialDeepStrictEqual(told.json, {
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
    attempts: [],
    latePosts: [{ workerId: worker.id, kind: "job-done" }],
    deliveries: [{ n: 1, url: "http://127.0.0.1:1/x" }],
  });
  assert.match(told.json.story, /queued .*, ran \d+ ms, COMPLETED$/);
  for (const key of ["submittedAt", "startedAt", "finishedAt", "expiresAt", "forgottenAt"]) {
    assert.equal(new Date(told.json[key]).toISOString(), told.json[key], key);
  }
});

test("a long input and a long output are told whole", async (t) => {
  const house = await startHouse(t);
  const endpoint = await house.makeEndpoint();
  const worker = await house.makeWorker(endpoint);
  const long = "x".repeat(700_000);
  const id = await run(house, endpoint, { input: { long } });
  await worker.call("job-take");
  await worker.call(`job-done/${id}`, "", JSON.stringify({ output: [long] }));
  const { json } = await house.call("GET", `/v1/jobs/${id}`);
  assert.deepEqual([json.input, json.output], [{ long }, [long]]);
});

test("a key for some endpoints sees the jobs of those alone", async (t) => {
  const house = await startHouse(t);
  const a = await house.makeEndpoint();
  const b = await house.makeEndpoint();
  const theirs = await run(house, b);
  const permissions = { queue: "read", endpoints: [a] };
  const { json: key } = await house.call("POST", "/v1/keys", { name: "k", permissions });
  const get = async (address: string) =>
    (await house.call("GET", address, undefined, { authorization: key.key })).status;
  assert.equal(await get(`/v1/jobs?endpointId=${a}`), 200);
  assert.equal(await get(`/v1/jobs?endpointId=${b}`), 403);
  assert.equal(await get("/v1/jobs"), 403);
  assert.equal(await get(`/v1/jobs/${theirs}`), 403);
});

test("a job of a deleted endpoint can still be read", async (t) => {
  const house = await startHouse(t);
  const endpoint = await house.makeEndpoint();
  const id = await run(house, endpoint);
  await house.call("DELETE", `/v1/endpoints/${endpoint}`);
  const { json } = await house.call("GET", `/v1/jobs/${id}`);
  assert.deepEqual([json.status, json.error], ["CANCELLED", "its endpoint was deleted"]);
  assert.match(json.story, /CANCELLED: its endpoint was deleted$/);
  const unknown = await house.call("GET", "/v1/jobs/nothere");
  assert.deepEqual([unknown.status, unknown.json.code], [404, "job_not_found"]);
});
