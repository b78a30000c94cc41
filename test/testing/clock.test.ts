// A service with a virtual clock, through its public interface: time passes when a test says so.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { readConfig } from "../../src/config/config.ts";
import { freehold } from "../cli/command.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";

const HOUR = 3_600_000;

const startVirtual = (t: TestContext) => startService(t, virtual);

const now = async (service: TestService) =>
  Date.parse((await service.call("GET", "/v1/clock")).json.now);

test("the clock advances by a duration and to an instant, and never backward", async (t) => {
  const service = await startVirtual(t);
  const before = await now(service);
  const after = await advance(service, "7d");
  assert.ok(after >= before + 7 * 24 * HOUR && after < before + 7 * 24 * HOUR + 60_000);
  const to = new Date(after + HOUR).toISOString();
  const moved = await service.call("POST", "/v1/clock", { to });
  assert.ok(Date.parse(moved.json.now) >= Date.parse(to));
  assert.ok(Date.parse(moved.headers.get("freehold-clock")!) >= Date.parse(to));
  const back = await service.call("POST", "/v1/clock", { to: new Date(before).toISOString() });
  assert.equal(back.status, 400);
  assert.match(back.text, /moves only forward/);
});

test("the clock moves no more once a request has come through a reverse proxy", async (t) => {
  const service = await startService(t, { ...virtual, replicas: null });
  const after = await advance(service, "1h");
  const forwarded = { "x-forwarded-for": "203.0.113.7" };
  await service.call("GET", "/v1/clock", undefined, forwarded);
  const { status, json } = await service.call("POST", "/v1/clock", { advance: "1h" });
  assert.deepEqual([status, json.code], [403, "clock_fixed"]);
  assert.ok((await now(service)) >= after, "the time stays and goes on");
  await service.stop();
  const { dataFolder } = service;
  const again = await startService(t, { ...virtual, replicas: null, dataFolder });
  assert.equal((await again.call("POST", "/v1/clock", { advance: "1h" })).json.code, "clock_fixed");
});

test("jobs expire, retention ends and webhooks are retried in the time that passes", async (t) => {
  const service = await startVirtual(t);
  const received: number[] = [];
  const receiver = createServer((request, response) => {
    received.push(Date.now());
    request.resume();
    response.writeHead(500).end();
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  addCleanup(t, async () => void receiver.close());
  const endpoint = await service.makeEndpoint();
  const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const job = await service.call("POST", `/v2/${endpoint}/run`, {
    input: {},
    webhook,
    policy: { ttl: 2 * HOUR },
  });
  const status = async () => service.call("GET", `/v2/${endpoint}/status/${job.json.id}`);
  await advance(service, "1h");
  assert.equal((await status()).json.status, "IN_QUEUE");
  await advance(service, "61m");
  assert.equal((await status()).json.status, "TIMED_OUT");
  await advance(service, "1m");
  assert.equal(received.length, 3);
  await advance(service, "7d");
  assert.equal((await status()).status, 404);
});

test("a worker keeps its job while time is moved, and loses it if it is to count as silent", async (t) => {
  const service = await startVirtual(t);
  const endpoint = await service.makeEndpoint({ spec: { executionTimeoutMs: 24 * HOUR } });
  const worker = await service.makeWorker(endpoint);
  const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  assert.equal((await worker.call("job-take")).status, 200);
  await worker.call("ping", `?job_id=${job.id}&runpod_version=1.9.0`);
  await advance(service, "20h");
  const status = async () =>
    (await service.call("GET", `/v2/${endpoint}/status/${job.id}`)).json.status;
  assert.equal(await status(), "IN_PROGRESS");
  await advance(service, "2m", { workers: "silent" });
  assert.equal(await status(), "IN_QUEUE");
});

test("workers start, idle and end as their endpoint says", async (t) => {
  const service = await startVirtual(t);
  const endpoint = await service.makeEndpoint({
    template: { driver: "simulated" },
    spec: { workersMin: 0, workersMax: 1, idleTimeout: 600 },
  });
  const job = await service.call("POST", `/v2/${endpoint}/runsync`, { input: { n: 1 } });
  assert.equal(job.json.status, "COMPLETED", job.text);
  const live = async () => {
    const { json } = await service.call("GET", `/v2/${endpoint}/health`);
    return json.workers.idle + json.workers.running;
  };
  await until(async () => (await live()) === 1);
  await advance(service, "9m");
  assert.equal(await live(), 1);
  await advance(service, "3m");
  assert.equal(await live(), 0);
});

test("time stays ahead over a restart, and the data refuse another clock", async (t) => {
  const first = await startVirtual(t);
  const at = await advance(first, "30d");
  await first.stop();
  const again = await startService(t, { ...virtual, dataFolder: first.dataFolder });
  assert.ok((await now(again)) >= at);
  await again.stop();
  await assert.rejects(
    startService(t, { replicas: null, dataFolder: first.dataFolder }),
    /virtual clock; start it with --clock virtual/,
  );
});

test("a clock that follows the system's is shown, and cannot be moved", async (t) => {
  const service = await startService(t, { replicas: null });
  assert.equal((await service.call("GET", "/v1/clock")).json.mode, "system");
  const moved = await service.call("POST", "/v1/clock", { advance: "7d" });
  assert.equal(moved.status, 400);
  assert.match(moved.text, /--clock virtual/);
});

test("a move that says nothing, too much or nonsense is refused with a sentence", async (t) => {
  const service = await startVirtual(t);
  for (const [body, sentence] of [
    [{}, /Set either/],
    [{ advance: "1h", to: "2030-01-01T00:00:00Z" }, /Set either/],
    [{ advance: "-7d" }, /takes a duration/],
    [{ advance: "a week" }, /takes a duration/],
    [{ advance: "999999w" }, /100 years/],
    [{ to: "tomorrow" }, /to/],
  ] as const) {
    const moved = await service.call("POST", "/v1/clock", body);
    assert.equal(moved.status, 400, JSON.stringify(body));
    assert.match(moved.text, sentence);
  }
});

test("the command line shows the clock and moves it", async (t) => {
  const service = await startVirtual(t);
  const clock = (...args: string[]) => freehold(["clock", ...args, "--data", service.dataFolder]);
  assert.match((await clock()).stdout, /^\d{4}-\S+Z {2}virtual\n$/);
  const before = await now(service);
  const moved = await clock("advance", "7d", "--quiet");
  assert.ok(Date.parse(moved.stdout.trim()) >= before + 7 * 24 * HOUR, moved.stderr);
  const refused = await clock("to", "2020-01-01T00:00:00Z");
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /moves only forward/);
});

test("only the operator moves the clock", async (t) => {
  const service = await startVirtual(t);
  const { json: other } = await service.call("POST", "/v1/accounts", { name: "other" });
  const headers = { authorization: `Bearer ${other.key}` };
  const moved = await service.call("POST", "/v1/clock", { advance: "7d" }, headers);
  assert.equal(moved.status, 403);
  assert.match(moved.text, /operator/);
  assert.equal((await service.call("GET", "/v1/clock", undefined, headers)).status, 200);
});

test("a service that others reach, on PostgreSQL, with containers or old data refuses a virtual clock", async (t) => {
  for (const [env, sentence] of [
    [{ FREEHOLD_PUBLIC_URL: "https://cloud.example.org" }, /only tests on this machine/],
    [{ FREEHOLD_DATABASE_URL: "postgres://x@127.0.0.1/x" }, /share the database's clock/],
    [{ FREEHOLD_DRIVERS: "docker" }, /containers keep the engine's time/],
    [{ FREEHOLD_CLOCK: "frozen" }, /takes one of system, virtual/],
  ] as const) {
    const all = { FREEHOLD_CLOCK: "virtual", ...env } as Record<string, string>;
    assert.throws(() => readConfig({}, all, "/"), sentence);
  }
  const old = await startService(t, { replicas: null });
  await old.stop();
  const { dataFolder } = old;
  const env = { FREEHOLD_CLOCK: "virtual" };
  await assert.rejects(startService(t, { replicas: null, dataFolder, env }), /folder of its own/);
});
