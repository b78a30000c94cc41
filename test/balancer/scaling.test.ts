// Scaling by requests in flight: from zero under load and back, held requests, health, releases.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { freePort } from "../fixtures/free-port.ts";
import { until } from "../fixtures/until.ts";
import { npmClient } from "../sdk/npm-client.ts";
import {
  call,
  createEndpoint,
  send,
  startBalancing,
  textOf,
  untilReady,
  workersOf,
} from "./fixture.ts";

test("the OpenAI client scales a model from zero to three workers and back, and no request fails", async (t) => {
  const sdk = npmClient(t, "openai/index.mjs");
  if (!sdk) return;
  const { OpenAI } = await import(pathToFileURL(sdk).href);
  const service = await startBalancing(t);
  const workers = { min: 0, max: 3, idleTimeout: 1 };
  const { id, requestUrls } = await createEndpoint(service, {
    workers,
    requestCount: 2,
    env: { STARTUP_MS: "300" },
  });
  assert.equal((await workersOf(service, id)).ready, 0);
  const baseURL = `${requestUrls.base}/v1`;
  const { completions } = new OpenAI({ apiKey: service.key, baseURL, maxRetries: 0 }).chat;
  const words = Array.from({ length: 60 }, (_, n) => `word${n}`).join(" ");
  const body = { model: "any", messages: [{ role: "user", content: words }] };
  const used = new Set<string>();
  const stream = async () => {
    const { data, response } = await completions.create({ ...body, stream: true }).withResponse();
    used.add(response.headers.get("x-runpod-worker-id"));
    let text = "";
    for await (const { choices } of data) text += choices[0].delta.content;
    assert.equal(text.trim(), words);
  };
  let isLoaded = true;
  const users = Array.from({ length: 8 }, async () => {
    while (isLoaded) await stream();
  });
  await until(() => used.size === 3);
  isLoaded = false;
  await Promise.all(users);
  await until(async () => {
    const { ready, running, initializing } = await workersOf(service, id);
    return ready + running + initializing === 0;
  });
  const whole = await completions.create(body);
  assert.equal(whole.choices[0].message.content, words);
  const { json } = await service.call("GET", `/v1/endpoints/${id}/cost`);
  assert.ok(json.spent >= 0);
});

test("a release replaces the workers without a failed request", async (t) => {
  const service = await startBalancing(t);
  const { id } = await createEndpoint(service, { workers: { min: 2, max: 2 } });
  await untilReady(service, id, 2);
  const before = new Set<string>();
  const after = new Set<string>();
  let isRolling = false;
  let isOver = false;
  const user = async () => {
    while (!isOver) {
      const { status, worker, text } = await call(service, id, { method: "POST", body: "x" });
      assert.equal(status, 200, text);
      if (!isRolling) before.add(worker!);
      else if (!before.has(worker!)) after.add(worker!);
    }
  };
  const users = [user(), user(), user()];
  await until(() => before.size === 2);
  isRolling = true;
  const patched = await service.call("PATCH", `/v2/serverless/${id}`, { env: { NEW: "1" } });
  assert.equal(patched.status, 200, patched.text);
  const list = async () => (await service.call("GET", `/v2/serverless/${id}/workers`)).json;
  await until(async () => {
    const { workers } = await list();
    return (
      after.size === 2 &&
      workers.length === 2 &&
      workers.every(({ isStale }: { isStale: boolean }) => !isStale)
    );
  });
  isOver = true;
  await Promise.all(users);
});

test("requests wait for a worker, up to the limits", async (t) => {
  const service = await startBalancing(t, {
    protocol: { requestWaitMs: 1_500, maxHeldRequests: 2, affinityWaitMs: 1_500 },
  });
  const paused = await createEndpoint(service, { workers: { min: 0, max: 0 } });
  const none = await call(service, paused.id);
  assert.deepEqual([none.status, JSON.parse(none.text).error], [400, "no workers available"]);

  const { id } = await createEndpoint(service, { env: { WRONG_PATH: "1" } });
  const answers = await Promise.all([1, 2, 3, 4].map(() => call(service, id)));
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [400, 400, 429, 429]);
  const late = answers.find(({ status }) => status === 400)!;
  assert.equal(JSON.parse(late.text).error, "timed out waiting for worker");
  const why = await until(async () => {
    const { json } = await service.call("GET", `/v1/why/${id}`);
    return /answers 404 on \/ping at port \d+/.test(JSON.stringify(json)) && json;
  });
  assert.ok(why);
});

test("a preflight without a key is a question that keeps no worker and tells no ids apart", async (t) => {
  const service = await startBalancing(t);
  const { id } = await createEndpoint(service, { workers: { min: 0, max: 1, idleTimeout: 2 } });
  const queue = await service.makeEndpoint();
  const question = {
    origin: "https://page.example",
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization, content-type",
  };
  const ask = (endpoint: string, headers = {}) =>
    call(service, endpoint, {
      method: "OPTIONS",
      path: "/echo?a=1",
      body: "a body",
      key: null,
      headers: { ...question, cookie: "a=b", "x-other": "1", "content-length": "6", ...headers },
    });

  // Without a worker the answer is always the same, and starts none.
  const answers = await Promise.all(
    [id, queue, "none", "flash"].map(async (endpoint) => {
      const { status, headers, text } = await ask(endpoint);
      const { date: _, ...fixed } = headers;
      return { status, text, ...fixed };
    }),
  );
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  assert.partialDeepStrictEqual(answers[0], {
    status: 204,
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "authorization, content-type",
  });
  assert.deepEqual(
    Object.values(await workersOf(service, id)).filter((count) => count > 0),
    [],
  );

  // The page reads why its request was refused.
  const { origin } = question;
  for (const endpoint of [id, "none"]) {
    const refused = await call(service, endpoint, { key: null, headers: { origin } });
    const { status, headers } = refused;
    assert.deepEqual([status, headers["access-control-allow-origin"]], [401, "*"]);
  }

  await call(service, id);
  const { status, text, worker } = await ask(id, { "x-runpod-worker-id": "strict none" });
  assert.deepEqual([status, worker], [200, undefined]);
  const { method, bytes, headers } = JSON.parse(text);
  const names = (headers as string[])
    .filter((_, n) => n % 2 === 0)
    .map((name) => name.toLowerCase());
  const proxied = names.filter((name) => !name.startsWith("x-forwarded-") && name !== "connection");
  assert.deepEqual(
    [method, bytes, proxied.sort()],
    ["OPTIONS", 0, ["host", ...Object.keys(question)].sort()],
  );
  // It continues to ask, and the worker ends all the same.
  await until(async () => {
    await ask(id);
    const { ready, running } = await workersOf(service, id);
    return ready + running === 0;
  });
  const asUpgrade = { ...question, connection: "upgrade", upgrade: "websocket" };
  const upgrade = await call(service, id, { method: "OPTIONS", headers: asUpgrade, key: null });
  assert.equal(upgrade.status, 401);
});

test("health decides which worker gets requests, and unsuited settings are refused", async (t) => {
  const service = await startBalancing(t);
  const { id } = await createEndpoint(service, { workers: { min: 2, max: 2 } });
  await untilReady(service, id, 2);
  const { worker } = await call(service, id, { path: "/pid" });
  const headers = { "x-runpod-worker-id": `strict ${worker}` };
  const setHealth = (body: string) =>
    call(service, id, { method: "POST", path: "/health-status", body, headers });
  await setHealth("500");
  await until(async () => (await workersOf(service, id)).initializing === 1);
  for (let n = 0; n < 5; n++) assert.notEqual((await call(service, id)).worker, worker);

  const v1 = await service.call("GET", `/v1/endpoints/${id}`);
  assert.deepEqual([v1.json.type, v1.json.scalerType], ["LB", "REQUEST_COUNT"]);
  const refusals: [string, unknown, number, RegExp][] = [
    [`/v1/endpoints/${id}`, { type: "QB" }, 400, /cannot be changed/],
    [`/v1/endpoints/${id}`, { resultRetentionMs: 60_000 }, 400, /has no jobs/],
    [`/v2/serverless/${id}`, { type: "QUEUE" }, 422, /type/],
    [
      `/v2/serverless/${id}`,
      { scaling: { type: "QUEUE_DELAY", queueDelay: 4 } },
      422,
      /REQUEST_COUNT/,
    ],
    [`/v2/serverless/${id}`, { env: { PORT: "http" } }, 400, /PORT is .*must be a port/],
  ];
  for (const [path, body, status, sentence] of refusals) {
    const answer = await service.call("PATCH", path, body);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.text, sentence);
  }
});

test("an open stream keeps its worker, and a crash is a 502 or a cut stream", async (t) => {
  const service = await startBalancing(t);
  const { id } = await createEndpoint(service, { workers: { min: 0, max: 1, idleTimeout: 1 } });
  const open = await send(service, id, { path: "/slow" });
  const begun = textOf(open);
  const { text: pid, worker } = await call(service, id, { path: "/pid" });
  process.kill(Number(pid), "SIGKILL");
  await assert.rejects(begun);
  const next = await call(service, id, { path: "/pid" });
  assert.equal(next.status, 200);
  assert.notEqual(next.worker, worker);
});

test("requests wait while the only worker accepts no connection", async (t) => {
  const service = await startBalancing(t);
  const { id } = await createEndpoint(service, {
    workers: { min: 1, max: 1 },
    env: { PORT_HEALTH: String(await freePort()) },
  });
  await untilReady(service, id, 1);
  const { text: pid } = await call(service, id, { path: "/pid" });
  process.kill(Number(pid), "SIGUSR2"); // stops listening
  const sent = ["GET", "POST", "PUT"].map((method) =>
    call(service, id, { method, ...(method !== "GET" && { body: "x" }) }),
  );
  const { ready, running } = await workersOf(service, id);
  assert.equal(ready + running, 1);
  process.kill(Number(pid), "SIGUSR2"); // listens again
  for (const { status, text } of await Promise.all(sent)) assert.equal(status, 200, text);
});
