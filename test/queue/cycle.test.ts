// Tests of a job's path through the queue, over the routes of clients and workers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";

test("run, take, job-done, status: the input and the output pass byte for byte", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const input = '{"big":9007199254740993,"__proto__":{"a":1},"nul":"\\u0000","e":"😀","f":1.0}';
  const run = await service.call("POST", `/v2/${endpoint}/run`, `{"input":${input}}`);
  assert.equal(run.status, 200);
  assert.equal(run.json.status, "IN_QUEUE");

  const taken = await worker.call("job-take", "?job_in_progress=0");
  assert.equal(taken.status, 200);
  assert.equal(taken.text, `{"id":"${run.json.id}","input":${input}}`);

  const done = await worker.call(
    `job-done/${run.json.id}`,
    "&isStream=false",
    `{"output":${input}}`,
  );
  assert.equal(done.status, 200);
  const status = await service.call("GET", `/v2/${endpoint}/status/${run.json.id}`);
  assert.ok(status.text.includes(`"output":${input}`), status.text);
  assert.equal(status.json.status, "COMPLETED");
  assert.equal(status.json.workerId, worker.id);
  assert.ok(Number.isInteger(status.json.delayTime) && Number.isInteger(status.json.executionTime));
});

test("a held poll is woken by a submit", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const poll = worker.call("job-take", "?job_in_progress=0");
  const run = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  const taken = await poll;
  assert.equal(taken.json.id, run.json.id);
  assert.deepEqual(taken.json.input, {});
});

test("an idle poll ends with 204", async (t) => {
  const service = await startService(t, { protocol: { pollHoldMs: 50 } });
  const worker = await service.makeWorker(await service.makeEndpoint());
  assert.equal((await worker.call("job-take")).status, 204);
});

test("runsync answers with the result", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const poll = worker.call("job-take-batch", "?batch_size=3");
  const waiting = service.call("POST", `/v2/${endpoint}/runsync`, { input: { n: 1 } });
  const [job] = (await poll).json;
  await worker.call(`job-done/${job.id}`, "", '{"output":{"x":NaN}}');
  const answer = await waiting;
  assert.equal(answer.status, 200);
  assert.match(answer.json.id, /^sync-/);
  assert.deepEqual(answer.json.output, { x: null });
  assert.equal(answer.json.status, "COMPLETED");
});
