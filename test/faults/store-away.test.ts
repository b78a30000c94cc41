// What clients and workers meet while the store is away, and that all goes on once it is back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startHouse } from "../house.ts";
import { cutStore } from "./cut-store.ts";

const input = { input: { n: 1 } };

test("clients are told to come again", async (t) => {
  const house = await startHouse(t);
  const endpoint = await house.makeEndpoint();
  const { json: job } = await house.call("POST", `/v2/${endpoint}/run`, input);
  const cut = cutStore(house.house.store);
  for (const [method, path, body] of [
    ["POST", `/v2/${endpoint}/run`, input],
    ["GET", `/v2/${endpoint}/status/${job.id}`],
    ["POST", `/v2/${endpoint}/cancel/${job.id}`],
    ["GET", `/v2/${endpoint}/health`],
    ["GET", "/v1/endpoints"],
    ["POST", "/v1/templates", { name: "x", imageName: "x" }],
  ] as const) {
    const answer = await house.call(method, path, body);
    assert.deepEqual([answer.status, answer.json.code], [503, "store_unavailable"], path);
    assert.equal(answer.headers.get("retry-after"), "1");
  }
  assert.equal((await house.call("GET", "/readyz")).status, 503);
  assert.equal((await house.call("GET", "/healthz")).status, 200);
  cut.mend();
  assert.equal((await house.call("GET", "/readyz")).status, 200);
  assert.equal((await house.call("GET", `/v2/${endpoint}/status/${job.id}`)).status, 200);
});

test("a result and a chunk are held, and recorded once the store is back", async (t) => {
  const house = await startHouse(t);
  const endpoint = await house.makeEndpoint();
  const worker = await house.makeWorker(endpoint);
  const { json: job } = await house.call("POST", `/v2/${endpoint}/run`, input);
  await worker.call("job-take");
  const cut = cutStore(house.house.store);
  const chunk = worker.call(`job-stream/${job.id}`, "", '{"output":"a"}');
  while (cut.refused < 3) await sleep(5);
  cut.mend();
  assert.deepEqual((await chunk).json, { status: "ok" });
  const again = cutStore(house.house.store);
  const done = worker.call(`job-done/${job.id}`, "", '{"output":"whole"}');
  while (again.refused < 3) await sleep(5);
  again.mend();
  assert.deepEqual((await done).json, { status: "ok" });
  const { json: stream } = await house.call("GET", `/v2/${endpoint}/stream/${job.id}`);
  assert.deepEqual(
    stream.stream.map(({ output }: { output: string }) => output),
    ["a"],
  );
  const { json: status } = await house.call("GET", `/v2/${endpoint}/status/${job.id}`);
  assert.deepEqual([status.status, status.output], ["COMPLETED", "whole"]);
});

test("a result that is not held any longer is refused, and the worker tries again", async (t) => {
  const house = await startHouse(t, { protocol: { postHoldMs: 300 } });
  const endpoint = await house.makeEndpoint();
  const worker = await house.makeWorker(endpoint);
  const { json: job } = await house.call("POST", `/v2/${endpoint}/run`, input);
  await worker.call("job-take");
  const cut = cutStore(house.house.store);
  const refused = await worker.call(`job-done/${job.id}`, "", '{"output":1}');
  assert.equal(refused.status, 503);
  cut.mend();
  const { json } = await worker.call(`job-done/${job.id}`, "", '{"output":1}');
  assert.deepEqual(json, { status: "ok" });
});

test("a result whose commit's answer was lost counts, and its repetition is 200", async (t) => {
  const house = await startHouse(t);
  const endpoint = await house.makeEndpoint();
  const worker = await house.makeWorker(endpoint);
  const { json: job } = await house.call("POST", `/v2/${endpoint}/run`, input);
  await worker.call("job-take");
  const cut = cutStore(house.house.store, { lostAnswers: true });
  const done = worker.call(`job-done/${job.id}`, "", '{"output":"once"}');
  while (cut.refused < 2) await sleep(5);
  cut.mend();
  assert.equal((await done).status, 200);
  const { json: status } = await house.call("GET", `/v2/${endpoint}/status/${job.id}`);
  assert.deepEqual([status.status, status.output], ["COMPLETED", "once"]);
});

test("polls are held to their usual end and then told of nothing", async (t) => {
  const house = await startHouse(t, { protocol: { pollHoldMs: 400 } });
  const endpoint = await house.makeEndpoint();
  const worker = await house.makeWorker(endpoint);
  const cut = cutStore(house.house.store);
  const polls = ["job-take", "job-take-batch", "job-stop"].map((route) => worker.call(route));
  for (const { status } of await Promise.all(polls)) assert.equal(status, 204);
  assert.ok(cut.refused >= 9, "they were let go before their time");
  assert.ok((await worker.call("ping")).status < 300);
  cut.mend();
});

test("a poll that began while the store was away gets its job when it is back", async (t) => {
  const house = await startHouse(t);
  const endpoint = await house.makeEndpoint();
  const worker = await house.makeWorker(endpoint);
  const { json: job } = await house.call("POST", `/v2/${endpoint}/run`, input);
  const cut = cutStore(house.house.store);
  const take = worker.call("job-take");
  while (cut.refused < 2) await sleep(5);
  cut.mend();
  assert.equal((await take).json.id, job.id);
});

test("a job that was claimed while the answer was lost is handed over, and counts as no loss", async (t) => {
  const house = await startHouse(t);
  const endpoint = await house.makeEndpoint();
  const worker = await house.makeWorker(endpoint);
  assert.equal((await worker.call("ping")).status, 200); // known from here on
  const { json: job } = await house.call("POST", `/v2/${endpoint}/run`, input);
  const cut = cutStore(house.house.store, { lostAnswers: true });
  const take = worker.call("job-take");
  while (cut.refused < 1) await sleep(5);
  cut.mend();
  const { json: taken } = await take;
  assert.deepEqual([taken.id, taken.retries], [job.id, undefined]);
  const { json: past } = await house.call("GET", `/v1/jobs/${job.id}`);
  assert.equal(past.retries ?? 0, 0);
});

test("who waits for a result waits on", async (t) => {
  const house = await startHouse(t);
  const endpoint = await house.makeEndpoint();
  const worker = await house.makeWorker(endpoint);
  const waiting = house.call("POST", `/v2/${endpoint}/runsync`, input);
  const { json: job } = await worker.call("job-take");
  const cut = cutStore(house.house.store);
  house.house.store.wakes.ring(`job:${job.id}`);
  while (cut.refused < 3) await sleep(5);
  cut.mend();
  await worker.call(`job-done/${job.id}`, "", '{"output":7}');
  const { status, json } = await waiting;
  assert.deepEqual([status, json.status, json.output], [200, "COMPLETED", 7]);
});
