// Limits of a rate: for each key, operation and endpoint, over every interface; none unless the operator
// asks for them.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Answer, startHouse, type TestHouse } from "../house.ts";

/** Alone: of several each allows its share only. */
function limited(t: TestContext, limits: object | string): Promise<TestHouse> {
  const given = typeof limits === "string" ? limits : JSON.stringify(limits);
  return startHouse(t, { env: { FREEHOLD_RATE_LIMITS: given }, replicas: null });
}

/** As many answers, one after another. */
async function ask(times: number, send: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let n = 0; n < times; n++) answers.push(await send());
  return answers;
}

const refused = (answers: Answer[]) => answers.filter(({ status }) => status === 429);

test("by default nothing is limited, and nothing said of limits", async (t) => {
  const house = await startHouse(t);
  const endpoint = await house.makeEndpoint();
  const [answer] = await ask(1, () => house.call("GET", `/v2/${endpoint}/health`));
  assert.equal(answer?.status, 200);
  assert.equal(answer?.headers.get("ratelimit"), null);
});

test("every operation of the queue has its limit, and says how much is left and how long to wait", async (t) => {
  const requests = { requests: 1 };
  const names = ["run", "runsync", "status", "stream", "cancel", "retry", "purge-queue", "health"];
  const all = Object.fromEntries([...names, "requests"].map((name) => [name, requests]));
  const house = await limited(t, all);
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
    // Of several that come within a window some are too many, wherever the windows begin.
    const endpoint = await house.makeEndpoint();
    const send = () => {
      const body = method === "POST" ? { input: {} } : undefined;
      return house.call(method, `/v2/${endpoint}/${path}`, body);
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

test("the OpenAI route has its limit; what is let in waits for its job", async (t) => {
  const house = await limited(t, { openai: { requests: 1 } });
  const url = `${house.origin}/v2/${await house.makeEndpoint()}/openai/v1/models`;
  const end = new AbortController();
  const headers = { authorization: house.key };
  const asked = Array.from({ length: 3 }, () => fetch(url, { headers, signal: end.signal }));
  assert.equal((await Promise.any(asked)).status, 429);
  end.abort();
  await Promise.allSettled(asked);
});

test("a limit is a key's own and an endpoint's own; status and status-sync share theirs", async (t) => {
  const house = await limited(t, { status: { requests: 1 } });
  const [one, other] = [await house.makeEndpoint(), await house.makeEndpoint()];
  const { json: key } = await house.call("POST", "/v1/keys", { name: "other" });
  const status = (endpoint: string, headers = {}) =>
    house.call("GET", `/v2/${endpoint}/status/x`, undefined, headers);
  assert.equal((await status(one)).status, 404);
  assert.equal((await status(other)).status, 404);
  assert.equal((await status(one, { authorization: key.key })).status, 404);
  const sync = () => house.call("POST", `/v2/${one}/status-sync/x?wait=1000`);
  assert.ok(refused(await ask(3, sync)).length > 0);
});

test("more may come where more workers run", async (t) => {
  const house = await limited(t, { cancel: { requests: 1, perWorker: 50 } });
  const endpoint = await house.makeEndpoint();
  const cancel = () => house.call("POST", `/v2/${endpoint}/cancel/x`);
  assert.ok(refused(await ask(3, cancel)).length > 0);
  const worker = await house.makeWorker(endpoint);
  await worker.call("ping");
  assert.equal(refused(await ask(5, cancel)).length, 0);
});

test("only so many are answered at a time, and who goes away makes room", async (t) => {
  const house = await limited(t, { runsync: { requests: 1_000, concurrent: 1 } });
  const endpoint = await house.makeEndpoint();
  const gone = new AbortController();
  const headers = { authorization: house.key, "content-type": "application/json" };
  const url = `${house.origin}/v2/${endpoint}/runsync?wait=100000`;
  const body = JSON.stringify({ input: {} });
  const held = fetch(url, { method: "POST", headers, body, signal: gone.signal });
  const quick = () => house.call("POST", `/v2/${endpoint}/runsync?wait=1000`, { input: {} });
  const waiting = async () => (await house.call("GET", `/v2/${endpoint}/health`)).json.jobs.inQueue;
  while ((await waiting()) === 0);
  let answer = await quick();
  assert.equal(answer.status, 429);
  assert.match(answer.json.error, /this key may have 1 for "runsync" answered at a time/);
  assert.equal(answer.headers.get("retry-after"), "1");
  gone.abort();
  await assert.rejects(held);
  while (answer.status === 429) answer = await quick();
  assert.equal(answer.status, 200);
});

test("the management interface and GraphQL have limits of their own", async (t) => {
  const house = await limited(t, { rest: { requests: 2 }, graphql: { requests: 1 } });
  const rest = await ask(5, () => house.call("GET", "/v1/templates"));
  assert.ok(refused(rest).length > 0);
  const query = { query: "{ myself { id } }" };
  const graphql = await ask(4, () => house.call("POST", "/graphql", query));
  const [late] = refused(graphql);
  assert.deepEqual([late?.json.data, late?.json.errors[0].extensions.code], [null, "rate_limited"]);
  assert.ok(late?.headers.get("retry-after"));
});

test("the known profile: the 101st cancel, and a queue that is full", async (t) => {
  const house = await limited(t, "runpod");
  const endpoint = await house.makeEndpoint({ spec: { workersMax: 0 } });
  const cancels = await Promise.all(
    Array.from({ length: 250 }, () => house.call("POST", `/v2/${endpoint}/cancel/x`)),
  );
  // Twice as many at most where a window ended meanwhile.
  assert.ok(refused(cancels).length >= 50);
  const run = () => house.call("POST", `/v2/${endpoint}/run`, { input: {} });
  const taken = await Promise.all(Array.from({ length: 51 }, run));
  assert.deepEqual(refused(taken), []);
  const full = await run();
  assert.deepEqual([full.status, full.headers.get("retry-after")], [429, "5"]);
  assert.match(full.json.error, /51 jobs wait in this queue, which may have 0 workers/);
});
