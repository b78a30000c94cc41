// Requests to a load-balancing endpoint: keys, bytes, streams, affinity, WebSockets and bad workers.

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { WebSocket } from "ws";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { ask } from "../graphql/ask.ts";
import { makeApp, SAVE } from "../graphql/flash.ts";
import {
  call,
  createEndpoint,
  send,
  startBalancing,
  textOf,
  untilReady,
  workersOf,
} from "./fixture.ts";

interface Shared {
  t: TestContext;
  service: TestService;
  id: string;
  requestUrls: { base: string; health: string };
  /** A key of another account. */
  foreignKey: string;
}

const checks: [name: string, run: (shared: Shared) => Promise<void>][] = [];

function check(name: string, run: (shared: Shared) => Promise<void>): void {
  checks.push([name, run]);
}

check("pass with method, path, query and headers as they were sent", async ({ service, id }) => {
  const path = "/a%2Fb//c?x=1&x=%20&y";
  for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"]) {
    const headers = { "X-Two": ["a", "b"], "X-Case": "Kept" };
    const { status, text, worker } = await call(service, id, { method, path, headers });
    const echoed = JSON.parse(text);
    assert.deepEqual([status, echoed.method, echoed.url], [200, method, path]);
    assert.equal(echoed.id, worker);
    const at = echoed.headers.indexOf("X-Two");
    assert.deepEqual(echoed.headers.slice(at, at + 4), ["X-Two", "a", "X-Two", "b"]);
    assert.ok(echoed.headers.includes("X-Case"));
    assert.ok(!text.includes(service.key), "the key is removed");
    assert.ok(!echoed.headers.some((each: string) => /^authorization$/i.test(each)));
  }
});

check("the management API sends a request and gives its response as events", async (shared) => {
  const { service, id, foreignKey } = shared;
  const ask = (body: object, key = service.key) =>
    service.call("POST", `/v1/endpoints/${id}/requests`, body, { authorization: `Bearer ${key}` });
  const events = (text: string) =>
    [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, type, data]) => {
      return { type, ...JSON.parse(data!) };
    });
  const bodyOf = (text: string) =>
    Buffer.concat(events(text).map(({ base64 = "" }) => Buffer.from(base64, "base64"))).toString();

  const messages = [{ role: "user", content: "one two" }];
  const chat = JSON.stringify({ model: "chat", stream: true, messages });
  const streamed = await ask({ method: "POST", path: "/v1/chat/completions", body: chat });
  assert.match(bodyOf(streamed.text), /one .*two .*\[DONE\]/s);

  const headers = { "X-Two": "b", Authorization: `Bearer ${service.key}` };
  const sent = { method: "PUT", path: "/echo?x=%20", headers, body: "é" };
  const { text } = await ask(sent);
  const [head] = events(text);
  assert.deepEqual([head.type, head.status, events(text).at(-1).type], ["response", 200, "end"]);
  assert.ok(head.headers.some(([name]: [string]) => name === "X-Runpod-Worker-Id"));
  const echoed = JSON.parse(bodyOf(text));
  assert.deepEqual([echoed.method, echoed.url, echoed.bytes], ["PUT", "/echo?x=%20", 2]);
  assert.ok(!bodyOf(text).includes(service.key), "the key is removed");

  assert.match((await ask({ path: "/lie" })).text, /event: error\ndata: .*cut off before its end/);
  assert.equal(events((await ask({ path: "/hang-up" })).text)[0].status, 502);

  for (const [body, why] of [
    [{ path: "x" }, /path/],
    [{ path: "/a b" }, /path/],
    [{ method: "TRACE", path: "/" }, /method/],
    [{ path: "/", headers: { "Content-Length": "3" } }, /Content-Length is set by the service/],
    [{ path: "/", headers: { "X-A": "a\r\nX-B: b" } }, /no header may have/],
    [{ path: "/", headers: { "X A": "b" } }, /headers\.X A\W+ holds/],
    [{ path: "/", headers: { "X-A: b\r\nX-B": "c" } }, /no header may have/],
  ] as const) {
    const { status, text } = await ask(body);
    assert.equal(status, 400, text);
    assert.match(text, why);
  }
  assert.equal((await ask({ path: "/" }, foreignKey)).status, 404);
});

check("HEAD has no body", async ({ service, id }) => {
  const { status, text } = await call(service, id, { method: "HEAD", path: "/echo" });
  assert.deepEqual([status, text], [200, ""]);
});

check("a body arrives byte for byte", async ({ service, id }) => {
  const body = randomBytes(5_000_000);
  const { text } = await call(service, id, { method: "POST", path: "/echo", body });
  const { bytes, sha256 } = JSON.parse(text);
  assert.equal(bytes, body.length);
  assert.equal(sha256, createHash("sha256").update(body).digest("hex"));
});

check(
  "the path form works with the address that REST v2 gives",
  async ({ service, id, requestUrls }) => {
    const { hostname } = new URL(service.origin);
    assert.match(requestUrls.base, new RegExp(`^http://${hostname}:\\d+/lb/${id}$`));
    assert.equal(requestUrls.health, `${service.origin}/v2/${id}/health`);
    const { origin, pathname } = new URL(requestUrls.base);
    for (const path of [`${pathname}/x?y=1`, `${requestUrls.base}/x?y=1`]) {
      const { url, headers } = JSON.parse((await call({ ...service, origin }, id, { path })).text);
      assert.deepEqual([url, headers.includes(pathname)], ["/x?y=1", true], "X-Forwarded-Prefix");
    }
    assert.equal((await fetch(`${requestUrls.base}/x`)).status, 401);
  },
);

check("the name below the API's host works too", async ({ service, id }) => {
  const { port } = new URL(service.origin);
  const headers = { host: `${id}.localhost:${port}` };
  assert.equal((await call(service, id, { path: "/x", headers })).status, 200);
});

check("keys", async ({ service, id, foreignKey }) => {
  const none = await call(service, id, { key: null });
  assert.deepEqual([none.status, JSON.parse(none.text).error], [401, "no token provided"]);
  const wrong = await call(service, id, { key: "fh_wrong" });
  assert.deepEqual([wrong.status, JSON.parse(wrong.text).error], [401, "invalid api key"]);
  const other = await call(service, id, { key: foreignKey });
  assert.deepEqual([other.status, JSON.parse(other.text).code], [404, "endpoint_not_found"]);
  const unknown = await call(service, "aaaaaaaaaaaaaa");
  assert.equal(unknown.status, 404);
});

check("a queue's routes refuse it, and its address refuses a queue", async ({ service, id }) => {
  for (const operation of ["run", "runsync", "purge-queue"]) {
    const { status, json } = await service.call("POST", `/v2/${id}/${operation}`, { input: {} });
    assert.deepEqual([status, json.error], [400, "not allowed for QB API"], operation);
  }
  const queue = await service.makeEndpoint();
  const { status, text } = await call(service, queue);
  assert.deepEqual([status, JSON.parse(text).code], [400, "not_load_balancing"]);
  assert.match(text, new RegExp(`/v2/${queue}/run`));
});

check("tokens stream as they come", async ({ service, id }) => {
  const messages = [{ content: "one two three" }];
  const body = JSON.stringify({ stream: true, paced: true, messages });
  const path = "/v1/chat/completions";
  const answer = await send(service, id, { method: "POST", path, body });
  const headers = { "x-runpod-worker-id": String(answer.headers["x-runpod-worker-id"]) };
  const words: string[] = [];
  for await (const piece of answer) {
    words.push(...(String(piece).match(/one|two|three|\[DONE\]/g) ?? []));
    // The worker sends nothing more until this word has come.
    await call(service, id, { path: "/next", headers });
  }
  assert.deepEqual(words, ["one", "two", "three", "[DONE]"]);
});

check("affinity", async ({ service, id }) => {
  const ask = (value: string) =>
    call(service, id, { path: "/pid", headers: { "x-runpod-worker-id": value } });
  const first = (await call(service, id, { path: "/pid" })).worker!;
  for (const value of [first, `strict ${first}`, `strict-resume ${first}`]) {
    assert.equal((await ask(value)).worker, first);
  }
  assert.equal((await ask("nobody")).status, 200);
  const ended = await ask("strict nobody");
  assert.deepEqual([ended.status, JSON.parse(ended.text).code], [404, "affinity_worker_gone"]);
  assert.equal((await ask("a b c")).status, 400);
});

check("requests spread over the workers by requests in flight", async ({ service, id }) => {
  const slow = await Promise.all([1, 2].map(() => send(service, id, { path: "/slow" })));
  const workers = new Set(slow.map(({ headers }) => headers["x-runpod-worker-id"]));
  assert.equal(workers.size, 2);
  for (const answer of slow) answer.destroy();
  const drops = async () => {
    const counts = [...workers].map((worker) =>
      call(service, id, {
        path: "/drops",
        headers: { "x-runpod-worker-id": String(worker) },
      }),
    );
    return (await Promise.all(counts)).every(({ text }) => Number(text) === 1);
  };
  await until(drops); // a client that goes away ends its worker's request
});

check(
  "a WebSocket opens with the key in its URL, and counts as a request",
  async ({ service, id }) => {
    const { port } = new URL(service.origin);
    const url = `ws://127.0.0.1:${port}/socket?api_key=${service.key}&a=1`;
    const socket = new WebSocket(url, { headers: { host: `${id}.lb.localhost:${port}` } });
    const [[upgrade]] = (await Promise.all([once(socket, "upgrade"), once(socket, "open")])) as [
      [IncomingMessage],
      unknown,
    ];
    assert.equal(upgrade.headers["x-url"], "/socket?a=1");
    socket.send("hello");
    const [data] = await once(socket, "message");
    assert.equal(String(data), "hello");
    await until(async () => (await workersOf(service, id)).running === 1);
    socket.close();
    await until(async () => (await workersOf(service, id)).running === 0);
    const refused = new WebSocket(`ws://127.0.0.1:${port}/socket`, {
      headers: { host: `${id}.lb.localhost:${port}` },
    });
    const [error] = await once(refused, "error");
    assert.match(String(error), /401/);
  },
);

check(
  "a worker that hangs up is 502, and its other lies end the answer",
  async ({ service, id }) => {
    const hung = await call(service, id, { method: "POST", path: "/hang-up", body: "x" });
    assert.deepEqual([hung.status, JSON.parse(hung.text).code], [502, "worker_failed"]);
    const lied = await send(service, id, { path: "/lie" });
    await assert.rejects(textOf(lied));
    const two = await call(service, id, { method: "POST", path: "/two-statuses", body: "x" });
    assert.equal(two.text, "ok");
  },
);

check("smuggled requests are refused or stay one request", async ({ t, service, id }) => {
  const { port } = new URL(service.origin);
  const head = `Host: ${id}.lb.localhost\r\nAuthorization: Bearer ${service.key}\r\n`;
  const attempts = [
    `POST /echo HTTP/1.1\r\n${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST /echo HTTP/1.1\r\n${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    `POST /echo HTTP/1.1\r\n${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    `POST /echo HTTP/1.1\r\n${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
    `GET http://other.lb.localhost/ HTTP/1.1\r\n${head}\r\n`,
    `GET /echo HTTP/1.1\r\n${head}Host: other.lb.localhost\r\n\r\n`,
  ];
  for (const attempt of attempts) {
    const socket = connect({ port: Number(port), host: "127.0.0.1" });
    socket.write(attempt);
    socket.on("error", () => {});
    const [piece] = await once(socket, "data");
    assert.match(String(piece), /^HTTP\/1\.1 400 /, attempt.split("\r\n")[0]);
    socket.destroy();
  }
  // Two requests on one connection each need a key of their own.
  const socket = connect({ port: Number(port), host: "127.0.0.1" });
  t.after(() => socket.destroy());
  socket.write(
    `POST /echo HTTP/1.1\r\n${head}Content-Length: 0\r\n\r\nGET /echo HTTP/1.1\r\nHost: ${id}.lb.localhost\r\n\r\n`,
  );
  let heard = "";
  socket.on("data", (piece) => {
    heard += piece;
  });
  await until(() => (heard.match(/HTTP\/1\.1 /g) ?? []).length === 2);
  assert.match(heard, /HTTP\/1\.1 200 .*HTTP\/1\.1 401 /s);
});

check("a Flash function is called by its names, with a key of its account", async (shared) => {
  const { service, foreignKey } = shared;
  const { environmentId } = await makeApp(service);
  const { id } = await createEndpoint(service, { workers: { min: 1, max: 1, idleTimeout: 60 } });
  const input = { id, name: "live-greeter-fb", flashEnvironmentId: environmentId };
  await ask(service, SAVE, { input });
  const names = { "x-flash-app": "a", "x-flash-environment": "dev", "x-flash-endpoint": "greeter" };
  const { port } = new URL(service.origin);
  const byName = async (more: object, key?: string) => {
    const headers = { host: `flash.localhost:${port}`, ...names, ...more };
    const { status, text } = await call(service, "flash", { path: "/a?b=1", headers, key });
    return [status, JSON.parse(text)] as const;
  };
  const [status, echoed] = await byName({});
  assert.deepEqual([status, echoed.url], [200, "/a?b=1"]);
  assert.equal((await byName({ host: `flash.lb.localhost:${port}` }))[0], 200);
  const [missing, { error }] = await byName({ "x-flash-app": [] });
  assert.deepEqual([missing, error.includes("X-Flash-App is missing")], [400, true]);
  for (const wrong of [
    { "x-flash-endpoint": "other" },
    { "x-flash-environment": "other" },
    { "x-flash-app": "other" },
  ]) {
    assert.equal((await byName(wrong))[1].code, "endpoint_not_found");
  }
  const foreign = await byName({}, foreignKey);
  assert.deepEqual([foreign[0], foreign[1].code], [404, "endpoint_not_found"]);
  const elsewhere = { queue: "write", endpoints: [shared.id] };
  const created = await service.call("POST", "/v1/keys", { name: "k", permissions: elsewhere });
  assert.equal((await byName({}, created.json.key))[1].code, "forbidden", created.text);
});

check("metrics count the requests by status", async ({ service, id }) => {
  assert.equal((await call(service, "nosuchendpoint")).status, 404);
  const answer = await fetch(`${service.origin}/metrics`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  const text = await answer.text();
  assert.match(text, new RegExp(`freehold_lb_requests_total{endpoint="${id}",status="2xx"} \\d+`));
  assert.match(text, new RegExp(`freehold_lb_first_byte_seconds_count{endpoint="${id}"} \\d+`));
  assert.ok(!text.includes("nosuchendpoint"), "requests cannot add names to the metrics");
});

check("a deleted endpoint is not found, and its workers end", async ({ service, id }) => {
  assert.equal((await service.call("DELETE", `/v2/serverless/${id}`)).status, 204);
  await until(async () => (await call(service, id, { path: "/pid" })).status === 404);
});

test("requests to a load-balancing endpoint", async (t) => {
  const service = await startBalancing(t);
  const { id, requestUrls } = await createEndpoint(service, { workers: { min: 2, max: 2 } });
  await untilReady(service, id, 2);
  const { authorization } = await createOtherAccount(service);
  const foreignKey = authorization.replace("Bearer ", "");
  const shared = { t, service, id, requestUrls, foreignKey };
  for (const [name, run] of checks) await t.test(name, () => run(shared));
});
