// Tests that two replicas on one database behave as one.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { pollsArrived } from "../fixtures/service/held-polls.ts";
import { until } from "../fixtures/until.ts";
import { missing } from "../postgres/database.ts";
import { startPair } from "./pair.ts";

const skip = missing;
/** So long that a poll that is not woken exceeds the test's timeout. */
const protocol = { pollHoldMs: 60_000, stopAgainMs: 60_000 };

async function pairWithWorker(t: TestContext) {
  const { a, b, service } = await startPair(t, { protocol });
  const endpoint = await a.makeEndpoint();
  const worker = await b.makeWorker(endpoint);
  const submit = async (n = 1) => {
    return (await a.call("POST", `/v2/${endpoint}/run`, { input: { n } })).json.id as string;
  };
  const status = async (id: string) => (await a.call("GET", `/v2/${endpoint}/status/${id}`)).json;
  return { a, b, service, endpoint, worker, submit, status };
}

test("a poll on one replica is woken by a submit to the other", { skip }, async (t) => {
  const { b, worker, submit, status } = await pairWithWorker(t);
  for (let n = 0; n < 10; n++) {
    const poll = worker.call("job-take");
    await pollsArrived(b.call);
    const id = await submit(n);
    assert.equal((await poll).json.id, id);
    await worker.call(`job-done/${id}`, "", `{"output":${n}}`);
    const job = await status(id);
    assert.deepEqual([job.status, job.output], ["COMPLETED", n]);
  }
});

test("runsync on one replica is answered by a result posted to the other", { skip }, async (t) => {
  const { a, endpoint, worker } = await pairWithWorker(t);
  const poll = worker.call("job-take");
  const runsync = a.call("POST", `/v2/${endpoint}/runsync?wait=60000`, { input: {} });
  const { json: job } = await poll;
  await worker.call(`job-done/${job.id}`, "", '{"output":"across"}');
  const { json } = await runsync;
  assert.deepEqual([json.id, json.status, json.output], [job.id, "COMPLETED", "across"]);
});

test("a stream on one replica has the chunks that were posted to the other", {
  skip,
}, async (t) => {
  const { a, endpoint, worker, submit } = await pairWithWorker(t);
  const id = await submit();
  await worker.call("job-take");
  const stream = a.call("GET", `/v2/${endpoint}/stream/${id}`);
  await pollsArrived(a.call);
  await worker.call(`job-stream/${id}`, "", '{"output":"first"}');
  assert.deepEqual((await stream).json.stream[0].output, "first");
});

test("a stream read from both replicas alternately returns each chunk once", {
  skip,
}, async (t) => {
  const { a, b, endpoint, worker, submit } = await pairWithWorker(t);
  const id = await submit();
  await worker.call("job-take");
  const read: unknown[] = [];
  for (let n = 0; n < 20; n++) {
    // Sent as soon as the other replica has answered, and before the next chunk.
    const stream = (n % 2 ? a : b).call("GET", `/v2/${endpoint}/stream/${id}`);
    await worker.call(`job-stream/${id}`, "", `{"output":${n}}`);
    const { json } = await stream;
    read.push(...json.stream.map(({ output }: { output: unknown }) => output));
  }
  assert.deepEqual(read, [...Array(20).keys()]);
});

test("a cancel on one replica stops the job through the other's stop poll", { skip }, async (t) => {
  const { a, b, endpoint, worker, submit } = await pairWithWorker(t);
  const id = await submit();
  await worker.call("job-take");
  const stop = worker.call("job-stop");
  await pollsArrived(b.call);
  const { json } = await a.call("POST", `/v2/${endpoint}/cancel/${id}`);
  assert.equal(json.status, "CANCELLED");
  assert.deepEqual((await stop).json, { jobsToStop: [id] });
});

test("polls on both replicas share a burst to one, each job once", { skip }, async (t) => {
  const { a, b, endpoint, submit } = await pairWithWorker(t);
  const workers = [];
  for (let n = 0; n < 8; n++) workers.push(await (n % 2 ? a : b).makeWorker(endpoint));
  const polls = workers.map((worker) => worker.call("job-take"));
  await pollsArrived(b.call);
  await pollsArrived(a.call);
  const ids = await Promise.all(workers.map((_, n) => submit(n)));
  const taken = (await Promise.all(polls)).map(({ json }) => json.id);
  assert.deepEqual(taken.sort(), ids.sort());
});

test("a key revoked on one replica is rejected by the other", { skip }, async (t) => {
  const { a, b } = await pairWithWorker(t);
  const { json: key } = await a.call("POST", "/v1/keys", { name: "k" });
  const authorization = `Bearer ${key.key}`;
  assert.equal((await b.call("GET", "/v1/endpoints", undefined, { authorization })).status, 200);
  await a.call("DELETE", `/v1/keys/${key.id}`);
  await until(async () => {
    const { status } = await b.call("GET", "/v1/endpoints", undefined, { authorization });
    if (status !== 401) assert.equal(status, 200);
    return status === 401;
  });
});
