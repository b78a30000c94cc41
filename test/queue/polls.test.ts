// Tests of workers' polls for jobs: their responses and timing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { documented } from "../../src/domain/protocol.ts";
import { pollsArrived } from "../fixtures/service/held-polls.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { SkewedClock } from "../fixtures/time/skewed-clock.ts";

async function submit(service: TestService, endpoint: string, input: object = {}): Promise<string> {
  const answer = await service.call("POST", `/v2/${endpoint}/run`, { input });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.id;
}

test("the documented poll time suits every released SDK", () => {
  // Versions 1.7.3 to 1.7.5 time out after 30 s; a worker polls again at once after any response.
  assert.ok(documented.pollHoldMs >= 15_000 && documented.pollHoldMs <= 25_000);
  assert.ok(documented.refuseHoldMs >= 1_000 && documented.endingHoldMs >= 300);
});

test("an idle poll is held, then answered 204 without a body", async (t) => {
  const service = await startService(t, { protocol: { pollHoldMs: 300 } });
  const worker = await service.makeWorker(await service.makeEndpoint());
  for (const route of ["job-take", "job-take-batch", "job-stop"]) {
    const startedAt = performance.now();
    const { status, text } = await worker.call(route);
    assert.deepEqual([status, text], [204, ""]);
    assert.ok(performance.now() - startedAt > 290, route);
  }
});

test("calls that wait are answered in time although the clock is set back", async (t) => {
  const clock = new SkewedClock("2027-03-10T10:00:00Z");
  const service = await startService(t, { clock, protocol: { pollHoldMs: 1_500 } });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(await service.makeEndpoint());
  const id = await submit(service, endpoint);
  const polls = [worker.call("job-take"), worker.call("job-stop")];
  const waits = [
    service.call("POST", `/v2/${endpoint}/runsync?wait=1500`, { input: {} }),
    service.call("GET", `/v2/${endpoint}/stream/${id}?wait=1500`),
  ];
  await pollsArrived(service.call);
  clock.step(-3_600_000);
  for (const poll of polls) assert.equal((await poll).status, 204);
  for (const wait of waits) assert.equal((await wait).json.status, "IN_QUEUE");
});

test("query strings are accepted in every form that workers append them", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const queries = [
    "&job_in_progress=0",
    "?gpu=NVIDIA%20A40&job_in_progress=1",
    "?&job_in_progress=1",
    "&job_in_progress=0?gpu=X",
  ];
  for (const query of queries) {
    const id = await submit(service, endpoint);
    assert.equal((await worker.call("job-take", query)).json?.id, id, query);
    assert.equal((await worker.call(`job-stream/${id}`, query, '{"output":1}')).status, 200);
    assert.equal((await worker.call(`job-done/${id}`, query, '{"output":[]}')).status, 200);
    assert.equal((await worker.call("ping", query)).status, 200, query);
  }
  await submit(service, endpoint);
  await submit(service, endpoint);
  const batch = await worker.call("job-take-batch", "&batch_size=2&job_in_progress=0");
  assert.equal(batch.json.length, 2);
});

test("a batch has the available jobs in order, and at most the requested number", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.push(await submit(service, endpoint, { n }));
  const taken = async (query: string) => {
    const { json } = await worker.call("job-take-batch", query);
    return json.map((job: { id: string }) => job.id);
  };
  assert.deepEqual(await taken("?batch_size=3&batch_strategy=LMove"), ids.slice(0, 3));
  const { json: health } = await service.call("GET", `/v2/${endpoint}/health`);
  assert.equal(health.jobs.inQueue, 2);
  assert.equal(health.jobs.inProgress, 3);
  assert.deepEqual(await taken("?batch_size=none"), ids.slice(3, 4));
  assert.deepEqual(await taken("?batch_size=3"), ids.slice(4));
});

test("one job is an object, a batch is an array, both are application/json", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  for (const [route, isArray] of [
    ["job-take", false],
    ["job-take-batch", true],
  ] as const) {
    await submit(service, endpoint, { empty: {} });
    const { json, headers } = await worker.call(route, "?batch_size=1");
    assert.equal(Array.isArray(json), isArray);
    assert.match(headers.get("content-type") ?? "", /^application\/json/);
    assert.deepEqual(Object.keys(isArray ? json[0] : json), ["id", "input"]);
  }
});

test("a job has the fields for its worker and no others", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const s3Config = { accessId: "a", accessSecret: "hidden", bucketName: "b", endpointUrl: "u" };
  const body = { input: {}, s3Config, webhook: "http://127.0.0.1:1/w" };
  const { json: run } = await service.call("POST", `/v2/${endpoint}/run`, body);
  const { json: job } = await worker.call("job-take");
  assert.deepEqual(job, { id: run.id, input: {}, webhook: body.webhook, s3Config });
  await worker.call(`job-done/${run.id}`, "", '{"output":1}');
  const { text } = await service.call("GET", `/v2/${endpoint}/status/${run.id}`);
  assert.ok(!/hidden|webhook|input/.test(text), text);
  const typed = { accessId: null, accessSecret: null, bucketName: "b", endpointUrl: null };
  await service.call("POST", `/v2/${endpoint}/run`, { input: {}, s3Config: typed });
  const { json: next } = await worker.call("job-take");
  assert.deepEqual(next.s3Config, { bucketName: "b" });
});

test("jobs of a higher priority go first", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const ids: string[] = [];
  for (const priority of [0, -1, 5, 0]) {
    const body = { input: {}, policy: { priority } };
    ids.push((await service.call("POST", `/v2/${endpoint}/run`, body)).json.id);
  }
  const { json } = await worker.call("job-take-batch", "?batch_size=9");
  const order = json.map((job: { id: string }) => ids.indexOf(job.id));
  assert.deepEqual(order, [2, 0, 3, 1]);
});

test("one submit wakes one poll, and several submits wake as many", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const workers = [];
  for (let n = 0; n < 20; n++) workers.push(await service.makeWorker(endpoint));
  const polls = workers.map((worker) => worker.call("job-take", "?job_in_progress=0"));
  await pollsArrived(service.call);
  const submits = workers.map((_, n) => submit(service, endpoint, { n }));
  const taken = (await Promise.all(polls)).map(({ json }) => json.id);
  assert.deepEqual(taken.toSorted(), (await Promise.all(submits)).toSorted());
});

test("a closed poll gets no job, and the next poll does", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const giveUp = new AbortController();
  const abandoned = worker.call("job-take", "", undefined, giveUp.signal).catch(() => "aborted");
  await pollsArrived(service.call);
  giveUp.abort();
  assert.equal(await abandoned, "aborted");
  const id = await submit(service, endpoint);
  const { json } = await worker.call("job-take", "?job_in_progress=0");
  assert.deepEqual(json, { id, input: {} });
  await worker.call(`job-done/${id}`, "", "{}");
  const { json: job } = await service.call("GET", `/v2/${endpoint}/status/${id}`);
  assert.ok(!("retries" in job), JSON.stringify(job));
});

test("a request id left over from an earlier result is ignored", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const id = await submit(service, endpoint);
  const answer = await fetch(`${service.origin}/v2/${endpoint}/job-take/${worker.id}?x=1`, {
    headers: { authorization: worker.key, "x-request-id": "some-other-job" },
  });
  assert.equal(((await answer.json()) as { id: string }).id, id);
});
