// Tests of jobs that must stop while a worker holds them, and of unhealthy workers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../src/base/clock.ts";
import type { Protocol } from "../../src/domain/protocol.ts";
import { pollsArrived } from "../fixtures/service/held-polls.ts";
import {
  type ServiceOptions,
  startService,
  type TestService,
  type TestWorker,
} from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";

async function taken(service: TestService, endpoint: string, worker: TestWorker, body = {}) {
  const { json } = await service.call("POST", `/v2/${endpoint}/run`, { input: {}, ...body });
  const job = await worker.call("job-take", "?job_in_progress=0");
  assert.equal(job.json?.id, json.id, job.text);
  return json.id as string;
}

async function simulated(
  t: Parameters<typeof startService>[0],
  protocol: Partial<Protocol> = {},
  options: ServiceOptions = {},
) {
  const service = await startService(t, { protocol, ...options });
  const endpoint = await service.makeEndpoint();
  return { service, endpoint, worker: await service.makeWorker(endpoint) };
}

test("a cancelled job, and no other, is reported on the held stop poll", async (t) => {
  const { service, endpoint, worker } = await simulated(t);
  const [first, second] = [
    await taken(service, endpoint, worker),
    await taken(service, endpoint, worker),
  ];
  const stop = worker.call("job-stop", "?gpu=X");
  const cancelled = await service.call("POST", `/v2/${endpoint}/cancel/${first}`);
  assert.equal(cancelled.json.status, "CANCELLED");
  const { status, json, headers } = await stop;
  assert.deepEqual([status, json], [200, { jobsToStop: [first] }]);
  assert.match(headers.get("content-type") ?? "", /^application\/json/);
  // The other job continues and ends as usual.
  await worker.call(`job-done/${second}`, "", '{"output":1}');
  const { json: other } = await service.call("GET", `/v2/${endpoint}/status/${second}`);
  assert.equal(other.status, "COMPLETED");
});

test("a stop is repeated until a ping no longer lists the job, and never in a tight loop", async (t) => {
  const clock = new VirtualClock(Date.now());
  const protocol = { stopAgainMs: 500, pollHoldMs: 1_500, stopGraceMs: 60_000 };
  const { service, endpoint, worker } = await simulated(t, protocol, { clock, replicas: null });
  const id = await taken(service, endpoint, worker);
  await service.call("POST", `/v2/${endpoint}/cancel/${id}`);
  assert.equal((await worker.call("job-stop")).status, 200);
  for (let repeat = 1; repeat < 6; repeat++) {
    await worker.call("ping", `?job_id=${id}`);
    const poll = heldPoll(worker);
    await pollsArrived(service.call);
    await clock.advance(499);
    await pollsArrived(service.call);
    assert.equal(poll.isAnswered(), false, `repeat ${repeat} comes early`);
    await clock.advance(1);
    assert.equal((await poll.answer).status, 200);
  }
  await worker.call("ping");
  const last = heldPoll(worker);
  await until(async () => {
    await clock.advance(500);
    return last.isAnswered();
  });
  assert.equal((await last.answer).status, 204);
});

function heldPoll(worker: TestWorker) {
  let isAnswered = false;
  const answer = worker.call("job-stop").finally(() => {
    isAnswered = true;
  });
  return { answer, isAnswered: () => isAnswered };
}

test("a worker that posts the cancelled job is no longer asked to stop it", async (t) => {
  const { service, endpoint, worker } = await simulated(t, { stopGraceMs: 1_000 }, virtual);
  const id = await taken(service, endpoint, worker);
  await service.call("POST", `/v2/${endpoint}/cancel/${id}`);
  assert.equal((await worker.call(`job-done/${id}`, "", '{"output":"late"}')).status, 200);
  const { json } = await service.call("GET", `/v2/${endpoint}/status/${id}`);
  assert.equal(json.status, "CANCELLED");
  assert.ok(!("output" in json));
  // It has no job left to stop, so it is not ended.
  const stop = worker.call("job-stop");
  await pollsArrived(service.call);
  await advance(service, "1m");
  assert.equal((await stop).status, 204);
  const next = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  assert.equal((await worker.call("job-take", "?job_in_progress=0")).json?.id, next.json.id);
});

test("chunks, progress and results after a cancel change nothing that clients read", async (t) => {
  const { service, endpoint, worker } = await simulated(t);
  const id = await taken(service, endpoint, worker);
  await worker.call(`job-stream/${id}`, "", '{"output":"before"}');
  await service.call("POST", `/v2/${endpoint}/cancel/${id}`);
  for (const [route, body] of [
    ["job-stream", '{"output":"after"}'],
    ["job-done", '{"status":"IN_PROGRESS","output":"90%"}'],
    ["job-done", '{"output":"result"}'],
  ] as const) {
    assert.equal((await worker.call(`${route}/${id}`, "", body)).status, 200);
  }
  const { json } = await service.call("GET", `/v2/${endpoint}/stream/${id}`);
  const before = { output: "before", metrics: {} };
  assert.deepEqual(json, { status: "CANCELLED", stream: [before] });
  const { text } = await service.call("GET", `/v2/${endpoint}/status/${id}`);
  assert.ok(!text.includes("90%") && !text.includes("result"), text);
});

test("an execution timeout fails the job, stops it and frees its worker", async (t) => {
  const { service, endpoint, worker } = await simulated(t, {}, virtual);
  const stop = worker.call("job-stop");
  const policy = { executionTimeout: 5_000 };
  const id = await taken(service, endpoint, worker, { policy });
  await advance(service, "6s");
  const ended = await service.call("GET", `/v2/${endpoint}/status/${id}`);
  assert.equal(ended.json.status, "FAILED");
  assert.equal(ended.json.error, "executionTimeout exceeded");
  assert.ok(ended.json.executionTime >= 5_000 && ended.json.executionTime < 20_000);
  assert.deepEqual((await stop).json, { jobsToStop: [id] });
  assert.equal((await worker.call(`job-done/${id}`, "", '{"output":1}')).status, 200);
  const { json } = await service.call("GET", `/v2/${endpoint}/status/${id}`);
  assert.deepEqual([json.status, json.output], ["FAILED", undefined]);
  await taken(service, endpoint, worker);
});

test("a failed start-up check makes a worker unhealthy, and it gets no job", async (t) => {
  // No loop ends the worker until the clock advances.
  const clock = new VirtualClock(Date.now());
  const { service, endpoint, worker } = await simulated(t, {}, { clock, replicas: null });
  await taken(service, endpoint, worker);
  const report = "?status=unhealthy&check=_cuda&reason=no%20device&runpod_version=1.12.0";
  assert.equal((await worker.call("ping", report)).status, 200);
  const { json } = await service.call("GET", `/v2/${endpoint}/health`);
  assert.deepEqual([json.workers.unhealthy, json.workers.idle, json.workers.running], [1, 0, 0]);
  await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  const take = worker.call("job-take");
  await pollsArrived(service.call);
  await clock.advance(30_000);
  assert.notEqual((await take).status, 200);
});

test("pings are answered whatever jobs they list", async (t) => {
  const { service, endpoint, worker } = await simulated(t);
  const id = await taken(service, endpoint, worker);
  const queries = ["", `?job_id=${id}`, `?job_id=${id}%2Cunknown`, "?job_id=", "?runpod_version=9"];
  for (const query of queries) {
    assert.equal((await worker.call("ping", query)).status, 200, query);
  }
});
