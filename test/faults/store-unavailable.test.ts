// Tests of clients and workers while the store is unavailable, and of the recovery.

import assert from "node:assert/strict";
import { test } from "node:test";
import { writeTextPiece } from "../../src/transactions/payload/write-piece.ts";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { cutStore } from "./cut-store.ts";

const input = { input: { n: 1 } };

test("clients get a retryable error", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, input);
  const cut = cutStore(service.service.store);
  for (const [method, path, body] of [
    ["POST", `/v2/${endpoint}/run`, input],
    ["GET", `/v2/${endpoint}/status/${job.id}`],
    ["POST", `/v2/${endpoint}/cancel/${job.id}`],
    ["GET", `/v2/${endpoint}/health`],
    ["GET", "/v1/endpoints"],
    ["POST", "/v1/templates", { name: "x", imageName: "x" }],
  ] as const) {
    const answer = await service.call(method, path, body);
    assert.deepEqual([answer.status, answer.json.code], [503, "store_unavailable"], path);
    assert.equal(answer.headers.get("retry-after"), "1");
  }
  assert.equal((await service.call("GET", "/readyz")).status, 503);
  assert.equal((await service.call("GET", "/healthz")).status, 200);
  cut.fix();
  assert.equal((await service.call("GET", "/readyz")).status, 200);
  assert.equal((await service.call("GET", `/v2/${endpoint}/status/${job.id}`)).status, 200);
});

test("a result and a chunk wait until the store is available and are recorded", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, input);
  await worker.call("job-take");
  const cut = cutStore(service.service.store);
  const chunk = worker.call(`job-stream/${job.id}`, "", '{"output":"a"}');
  await until(() => cut.refused >= 3);
  cut.fix();
  assert.deepEqual((await chunk).json, { status: "ok" });
  const again = cutStore(service.service.store);
  const done = worker.call(`job-done/${job.id}`, "", '{"output":"whole"}');
  await until(() => again.refused >= 3);
  again.fix();
  assert.deepEqual((await done).json, { status: "ok" });
  const { json: stream } = await service.call("GET", `/v2/${endpoint}/stream/${job.id}`);
  assert.deepEqual(
    stream.stream.map(({ output }: { output: string }) => output),
    ["a"],
  );
  const { json: status } = await service.call("GET", `/v2/${endpoint}/status/${job.id}`);
  assert.deepEqual([status.status, status.output], ["COMPLETED", "whole"]);
});

test("a result that waits too long is refused, and the worker retries it", async (t) => {
  const service = await startService(t, { protocol: { postHoldMs: 300 } });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, input);
  await worker.call("job-take");
  const cut = cutStore(service.service.store);
  const refused = await worker.call(`job-done/${job.id}`, "", '{"output":1}');
  assert.equal(refused.status, 503);
  cut.fix();
  const { json } = await worker.call(`job-done/${job.id}`, "", '{"output":1}');
  assert.deepEqual(json, { status: "ok" });
});

test("a result whose commit response was lost counts, and a repeated post is 200", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, input);
  await worker.call("job-take");
  const cut = cutStore(service.service.store, { lostAnswers: true });
  const done = worker.call(`job-done/${job.id}`, "", '{"output":"once"}');
  await until(() => cut.refused >= 2);
  cut.fix();
  assert.equal((await done).status, 200);
  const { json: status } = await service.call("GET", `/v2/${endpoint}/status/${job.id}`);
  assert.deepEqual([status.status, status.output], ["COMPLETED", "once"]);
});

test("a long result whose commit responses were lost, piece by piece, is recorded whole", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, input);
  await worker.call("job-take");
  const output = "0123456789".repeat(20_000); // four pieces
  const cut = cutStore(service.service.store, { lostAnswers: true });
  const done = worker.call(`job-done/${job.id}`, "", JSON.stringify({ output }));
  await until(() => cut.lost.includes(writeTextPiece));
  cut.fix();
  assert.equal((await done).status, 200);
  const { json: status } = await service.call("GET", `/v2/${endpoint}/status/${job.id}`);
  assert.deepEqual([status.status, status.output], ["COMPLETED", output]);
});

test("polls are held for their usual time and end without a job", async (t) => {
  const service = await startService(t, { protocol: { pollHoldMs: 400 } });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const cut = cutStore(service.service.store);
  const polls = ["job-take", "job-take-batch", "job-stop"].map((route) => worker.call(route));
  for (const { status } of await Promise.all(polls)) assert.equal(status, 204);
  assert.ok(cut.refused >= 9, "they were released early");
  assert.ok((await worker.call("ping")).status < 300);
  cut.fix();
});

test("a poll that began while the store was unavailable gets its job afterward", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, input);
  const cut = cutStore(service.service.store);
  const take = worker.call("job-take");
  await until(() => cut.refused >= 2);
  cut.fix();
  assert.equal((await take).json.id, job.id);
});

test("a job that was claimed while the response was lost is dispatched, and counts as no loss", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  assert.equal((await worker.call("ping")).status, 200); // known from here on
  const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, input);
  const cut = cutStore(service.service.store, { lostAnswers: true });
  const take = worker.call("job-take");
  await until(() => cut.refused >= 1);
  cut.fix();
  const { json: taken } = await take;
  assert.deepEqual([taken.id, taken.retries], [job.id, undefined]);
  const { json: past } = await service.call("GET", `/v1/jobs/${job.id}`);
  assert.equal(past.retries ?? 0, 0);
});

test("a caller that waits for a result keeps waiting", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const waiting = service.call("POST", `/v2/${endpoint}/runsync`, input);
  const { json: job } = await worker.call("job-take");
  const cut = cutStore(service.service.store);
  service.service.store.notifier.notify(`job:${job.id}`);
  await until(() => cut.refused >= 3);
  cut.fix();
  await worker.call(`job-done/${job.id}`, "", '{"output":7}');
  const { status, json } = await waiting;
  assert.deepEqual([status, json.status, json.output], [200, "COMPLETED", 7]);
});
