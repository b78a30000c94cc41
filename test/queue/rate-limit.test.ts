// Tests of rate limits per key, operation and endpoint, over every interface; by default there are
// none.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Answer, startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

/** One replica, because each of several allows only its share. */
function limited(t: TestContext, limits: object | string): Promise<TestService> {
  const text = typeof limits === "string" ? limits : JSON.stringify(limits);
  return startService(t, { env: { FREEHOLD_RATE_LIMITS: text }, replicas: null });
}

/** The responses of this many calls in sequence. */
async function ask(times: number, send: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let n = 0; n < times; n++) answers.push(await send());
  return answers;
}

const refused = (answers: Answer[]) => answers.filter(({ status }) => status === 429);

test("by default nothing is limited, and there are no rate-limit headers", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const [answer] = await ask(1, () => service.call("GET", `/v2/${endpoint}/health`));
  assert.equal(answer?.status, 200);
  assert.equal(answer?.headers.get("ratelimit"), null);
});

test("every queue operation has its limit, and reports the remaining requests and the wait", async (t) => {
  const requests = { requests: 1 };
  const names = ["run", "runsync", "status", "stream", "cancel", "retry", "purge-queue", "health"];
  const all = Object.fromEntries([...names, "requests"].map((name) => [name, requests]));
  const service = await limited(t, all);
  const operations = [
    ["POST", "run"],
    ["POST", "runsync?wait=1000"],
    ["GET", "status/x"],
    ["GET", "stream/x"],
    ["POST", "cancel/x"],
    ["POST", "retry/x"],
    ["POST", "purge-queue"],
    ["GET", "health"],
    ["GET", "requests"],
  ] as const;
  for (const [method, path] of operations) {
    // Some of the calls exceed the limit, wherever the windows begin.
    const endpoint = await service.makeEndpoint();
    const send = () => {
      const body = method === "POST" ? { input: {} } : undefined;
      return service.call(method, `/v2/${endpoint}/${path}`, body);
    };
    const answers = await Promise.all([send(), send(), send(), send()]);
    const late = refused(answers);
    assert.ok(late.length >= 2, `${path} ${answers.map(({ status }) => status)}`);
    const { headers, json } = late[0]!;
    const name = path.split(/[/?]/)[0];
    assert.equal(json.code, "rate_limited");
    assert.match(json.error, new RegExp(`this key may send 1 for "${name}" in 10 s`));
    assert.match(headers.get("retry-after") ?? "", /^\d+$/);
    assert.equal(headers.get("ratelimit-policy"), `"${name}";q=1;w=10`);
    assert.match(headers.get("ratelimit") ?? "", new RegExp(`^"${name}";r=0;t=\\d+$`));
  }
});

test("the OpenAI route has its own limit, and an admitted request waits for its job", async (t) => {
  const service = await limited(t, { openai: { requests: 1 } });
  const url = `${service.origin}/v2/${await service.makeEndpoint()}/openai/v1/models`;
  const end = new AbortController();
  const headers = { authorization: service.key };
  const requests = Array.from({ length: 3 }, () => fetch(url, { headers, signal: end.signal }));
  assert.equal((await Promise.any(requests)).status, 429);
  end.abort();
  await Promise.allSettled(requests);
});

test("limits are per key and endpoint; status and status-sync share one", async (t) => {
  const service = await limited(t, { status: { requests: 1 } });
  const [one, other] = [await service.makeEndpoint(), await service.makeEndpoint()];
  const { json: key } = await service.call("POST", "/v1/keys", { name: "other" });
  const status = (endpoint: string, headers = {}) =>
    service.call("GET", `/v2/${endpoint}/status/x`, undefined, headers);
  assert.equal((await status(one)).status, 404);
  assert.equal((await status(other)).status, 404);
  assert.equal((await status(one, { authorization: key.key })).status, 404);
  const sync = () => service.call("POST", `/v2/${one}/status-sync/x?wait=1000`);
  assert.ok(refused(await ask(3, sync)).length > 0);
});

test("more running workers raise the limit", async (t) => {
  const service = await limited(t, { cancel: { requests: 1, perWorker: 50 } });
  const endpoint = await service.makeEndpoint();
  const cancel = () => service.call("POST", `/v2/${endpoint}/cancel/x`);
  assert.ok(refused(await ask(3, cancel)).length > 0);
  const worker = await service.makeWorker(endpoint);
  await worker.call("ping");
  assert.equal(refused(await ask(5, cancel)).length, 0);
});

test("concurrent requests are limited, and a closed one makes room", async (t) => {
  const service = await limited(t, { runsync: { requests: 1_000, concurrent: 1 } });
  const endpoint = await service.makeEndpoint();
  const disconnect = new AbortController();
  const headers = { authorization: service.key, "content-type": "application/json" };
  const url = `${service.origin}/v2/${endpoint}/runsync?wait=100000`;
  const body = JSON.stringify({ input: {} });
  const pending = fetch(url, { method: "POST", headers, body, signal: disconnect.signal });
  const quick = () => service.call("POST", `/v2/${endpoint}/runsync?wait=1000`, { input: {} });
  const waiting = async () =>
    (await service.call("GET", `/v2/${endpoint}/health`)).json.jobs.inQueue;
  await until(async () => (await waiting()) > 0);
  let answer = await quick();
  assert.equal(answer.status, 429);
  assert.match(answer.json.error, /this key may have 1 for "runsync" answered at a time/);
  assert.equal(answer.headers.get("retry-after"), "1");
  disconnect.abort();
  await assert.rejects(pending);
  while (answer.status === 429) answer = await quick();
  assert.equal(answer.status, 200);
});

test("the management interface and GraphQL have their own limits", async (t) => {
  const service = await limited(t, { rest: { requests: 2 }, graphql: { requests: 1 } });
  const rest = await ask(5, () => service.call("GET", "/v1/templates"));
  assert.ok(refused(rest).length > 0);
  const query = { query: "{ myself { id } }" };
  const graphql = await ask(4, () => service.call("POST", "/graphql", query));
  const [late] = refused(graphql);
  assert.deepEqual([late?.json.data, late?.json.errors[0].extensions.code], [null, "rate_limited"]);
  assert.ok(late?.headers.get("retry-after"));
});

test("the platform's profile rejects the 101st cancel, and jobs for a full queue", async (t) => {
  const service = await limited(t, "runpod");
  const endpoint = await service.makeEndpoint({ spec: { workersMax: 0 } });
  const cancels = await Promise.all(
    Array.from({ length: 250 }, () => service.call("POST", `/v2/${endpoint}/cancel/x`)),
  );
  // At most twice as many, if a window ended meanwhile.
  assert.ok(refused(cancels).length >= 50);
  const run = () => service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  const taken = await Promise.all(Array.from({ length: 51 }, run));
  assert.deepEqual(refused(taken), []);
  const full = await run();
  assert.deepEqual([full.status, full.headers.get("retry-after")], [429, "5"]);
  assert.match(full.json.error, /51 jobs wait in this queue, which may have 0 workers/);
});
