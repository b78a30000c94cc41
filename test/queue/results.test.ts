// Tests of workers' posts in every form that a released SDK sends, and of the resulting jobs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../../src/domain/protocol.ts";
import { startService, type TestService, type TestWorker } from "../fixtures/service/service.ts";

/** A job that a worker holds. */
async function running(service: TestService, endpoint: string, worker: TestWorker, body = {}) {
  const run = await service.call("POST", `/v2/${endpoint}/run`, { input: {}, ...body });
  const taken = await worker.call("job-take", "?job_in_progress=0");
  assert.equal(taken.json?.id, run.json.id, taken.text);
  const { id } = run.json;
  return {
    id,
    done: (text: string, query = "?isStream=false") => worker.call(`job-done/${id}`, query, text),
    yields: (text: string) => worker.call(`job-stream/${id}`, "?isStream=false", text),
    status: () => service.call("GET", `/v2/${endpoint}/status/${id}`),
    stream: () => service.call("GET", `/v2/${endpoint}/stream/${id}`),
  };
}

const outcomes: [body: string, status: string, output?: string, error?: string][] = [
  ['{"output":"a=b&c=%41 é 😀"}', "COMPLETED", '"a=b&c=%41 é 😀"'],
  ['{"output":{"x":NaN,"y":[Infinity,-Infinity]}}', "COMPLETED", '{"x":null,"y":[null,null]}'],
  ['{"output":9007199254740993.0}', "COMPLETED", "9007199254740993.0"],
  [
    '{"output":{"__proto__":1,"\\ud83d":"\\u0000"}}',
    "COMPLETED",
    '{"__proto__":1,"\\ud83d":"\\u0000"}',
  ],
  ['{"output":[1, 2]}', "COMPLETED", "[1, 2]"],
  ['{"output":""}', "COMPLETED", '""'],
  ['{"output":false}', "COMPLETED", "false"],
  ['{"output":[]}', "COMPLETED", "[]"],
  ['{"output":null}', "COMPLETED"],
  ["{}", "COMPLETED"],
  ["null", "COMPLETED"],
  ["{ }", "COMPLETED"],
  // Workers without the SDK post what their handler returned.
  ['{"answer":42}', "COMPLETED", '{"answer":42}'],
  ['"text"', "COMPLETED", '"text"'],
  ['{"error":"it broke"}', "FAILED", undefined, "it broke"],
  ['{"error":"half","output":{"done":[1]}}', "FAILED", '{"done":[1]}', "half"],
  ['{"error":{"code":1}}', "FAILED", undefined, '{"code":1}'],
  ['{"error":["a","b"]}', "FAILED", undefined, '["a","b"]'],
  ['{"error":404}', "FAILED", undefined, "404"],
  ['{"error":true}', "FAILED", undefined, "true"],
  // A value that is false in Python is ignored.
  ['{"error":null,"output":1}', "COMPLETED", "1"],
  ['{"error":"","output":1}', "COMPLETED", "1"],
  ['{"error":{},"output":1}', "COMPLETED", "1"],
  // A status of another kind is not progress.
  ['{"status":"COMPLETED","output":2}', "COMPLETED", "2"],
];

test("each body of a result ends the job with its status, output and error", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  for (const [body, status, output, error] of outcomes) {
    const job = await running(service, endpoint, worker);
    assert.equal((await job.done(body)).status, 200, body);
    const { text, json } = await job.status();
    assert.equal(json.status, status, body);
    assert.equal(json.error, error, body);
    if (output === undefined) assert.ok(!("output" in json), text);
    else assert.ok(text.includes(`"output":${output}`), text);
    assert.ok(!text.includes(":null}") || output?.includes("null"), text);
  }
});

test("a result that is not JSON is rejected, and the job stays with its worker", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const job = await running(service, endpoint, worker);
  for (const body of ["", "output=1", '{"output":}', '{"output":1', "nan"]) {
    assert.equal((await job.done(body)).status, 400, body);
  }
  assert.equal((await job.status()).json.status, "IN_PROGRESS");
  assert.equal((await job.done('{"output":1}')).status, 200);
  assert.equal((await job.status()).json.status, "COMPLETED");
});

test("a result counts once; repeated and late posts are 200 and change nothing", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const job = await running(service, endpoint, worker);
  await job.done('{"output":1}');
  const first = (await job.status()).text;
  for (const body of ['{"output":1}', '{"error":"late"}', '{"output":2,"stopPod":false}']) {
    assert.equal((await job.done(body)).status, 200, body);
  }
  assert.equal((await job.done('{"status":"IN_PROGRESS","output":"50%"}')).status, 200);
  assert.equal((await job.yields('{"output":"chunk"}')).status, 200);
  assert.equal((await job.status()).text, first);
  assert.deepEqual((await job.stream()).json, { status: "COMPLETED", stream: [] });
  const { json: health } = await service.call("GET", `/v2/${endpoint}/health`);
  assert.deepEqual(health.jobs, {
    completed: 1,
    failed: 0,
    inProgress: 0,
    inQueue: 0,
    retried: 0,
  });
});

test("progress is the output of a running job, and the latest replaces earlier ones", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const job = await running(service, endpoint, worker);
  assert.ok(!("output" in (await job.status()).json));
  const long = JSON.stringify("x".repeat(10_000));
  for (const output of ['"10%"', long, '{"percent": 50}']) {
    const posted = await job.done(`{"status":"IN_PROGRESS","output":${output}}`);
    assert.equal(posted.status, 200);
    const { json } = await job.status();
    assert.equal(json.status, "IN_PROGRESS");
    assert.deepEqual(json.output, JSON.parse(output));
    assert.ok(Number.isInteger(json.executionTime) && !("error" in json));
  }
  await job.done("{}");
  assert.ok(!("output" in (await job.status()).json));
});

test("a stream is delivered once, ends with the status, and can be read again", async (t) => {
  const service = await startService(t, { protocol: { streamHoldMs: 50 } });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const job = await running(service, endpoint, worker);
  assert.deepEqual((await job.stream()).json, { status: "IN_PROGRESS", stream: [] });
  await job.yields('{"output":{"n":1}}');
  await job.yields('{"output":"two","metrics":{"tokens":2}}');
  const { json } = await job.stream();
  assert.deepEqual(json, {
    status: "IN_PROGRESS",
    stream: [
      { output: { n: 1 }, metrics: {} },
      { output: "two", metrics: { tokens: 2 } },
    ],
  });
  await job.yields('{"output":null}');
  await job.done('{"output":[]}', "?isStream=true");
  // The JavaScript and Go clients stop at the first terminal status; Python's reads once more and
  // expects an empty stream.
  const last = { status: "COMPLETED", stream: [{ output: null, metrics: {} }] };
  assert.deepEqual((await job.stream()).json, last);
  const nothing = { status: "COMPLETED", stream: [] };
  assert.deepEqual((await job.stream()).json, nothing);
  assert.deepEqual((await job.stream()).json, nothing);
  const again = await service.call("GET", `/v2/${endpoint}/stream/${job.id}?from=1`);
  assert.deepEqual(
    again.json.stream.map((chunk: { output: unknown }) => chunk.output),
    ["two", null],
  );
  assert.deepEqual((await job.stream()).json, nothing);
  for (const from of ["0.5", "1e300", "-1"]) {
    const refused = await service.call("GET", `/v2/${endpoint}/stream/${job.id}?from=${from}`);
    assert.deepEqual([refused.status, refused.json.code], [400, "invalid_query"], from);
  }
});

test("a bare key reads the bare array, and Bearer reads the envelope", async (t) => {
  const service = await startService(t, { protocol: { streamHoldMs: 50 } });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const job = await running(service, endpoint, worker);
  await job.yields('{"output":"a","metrics":{"t":1}}');
  const path = `/v2/${endpoint}/stream/${job.id}?from=0`;
  const bare = { authorization: service.key };
  const array = [{ output: "a", metrics: { t: 1 } }];
  const envelope = { status: "IN_PROGRESS", stream: array };
  assert.deepEqual((await service.call("GET", path, undefined, bare)).json, array);
  assert.deepEqual((await service.call("POST", path, undefined, bare)).json, envelope);
  assert.deepEqual((await service.call("GET", path)).json, envelope);
  assert.deepEqual((await service.call("GET", `${path}&format=array`)).json, array);
  const other = await service.call("GET", `${path}&format=envelope`, undefined, bare);
  assert.deepEqual(other.json, envelope);
});

test("chunks of a job that failed can still be read", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const job = await running(service, endpoint, worker);
  await job.yields('{"output":1}');
  await job.yields('{"output":2}');
  await job.done('{"error":"yielded"}', "?isStream=true");
  const { json } = await job.stream();
  assert.equal(json.status, "FAILED");
  assert.equal(json.stream.length, 2);
  assert.equal((await job.status()).json.error, "yielded");
});

test("the final post of the oldest generators is null and has no isStream", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const job = await running(service, endpoint, worker);
  await job.yields('{"output":"only"}');
  assert.equal((await job.done("null", "")).status, 200);
  const { json } = await job.status();
  assert.equal(json.status, "COMPLETED");
  assert.ok(!("output" in json));
});

test("a long stream takes several responses, IN_PROGRESS until the last", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const text = "é".repeat(400_000);
  for (const chunk of [
    { output: text, metrics: {} },
    { output: 1, metrics: { text } },
  ]) {
    const job = await running(service, endpoint, worker);
    for (let n = 0; n < 12; n++) await job.yields(JSON.stringify(chunk));
    await job.done('{"output":[]}');
    const replies = [];
    do replies.push((await job.stream()).json);
    while (replies.at(-1).status === "IN_PROGRESS" && replies.length < 20);
    assert.ok(replies.length > 1, "it was meant to be too long for one reply");
    assert.equal(replies.at(-1).status, "COMPLETED");
    assert.ok(replies.at(-1).stream.length > 0);
    const all = replies.flatMap(({ stream }) => stream);
    assert.deepEqual(all, Array(12).fill(chunk));
  }
});

test("a yield over 1 MB arrives in parts that join to the whole", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const job = await running(service, endpoint, worker);
  const text = "😀é".repeat(300_000);
  const object = { numbers: Array.from({ length: 250_000 }, (_, n) => n) };
  await job.yields(JSON.stringify({ output: text }));
  await job.yields(JSON.stringify({ output: object }));
  await job.done("{}");
  const { json } = await job.stream();
  for (const chunk of json.stream) {
    assert.ok(Buffer.byteLength(JSON.stringify(chunk.output)) <= limits.chunkBytes);
  }
  const parts = json.stream.filter((chunk: { metrics: object }) => "part" in chunk.metrics);
  const strings = json.stream.filter((chunk: { metrics: object }) => !("part" in chunk.metrics));
  const joined = (chunks: { output: string }[]) => chunks.map(({ output }) => output).join("");
  assert.equal(joined(strings), text);
  assert.deepEqual(JSON.parse(joined(parts)), object);
});

test("a result over the limit fails the job and names both sizes", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const job = await running(service, endpoint, worker);
  const body = `{"output":"${"x".repeat(limits.resultBytes)}"}`;
  assert.equal((await job.done(body)).status, 413);
  const { json } = await job.status();
  assert.equal(json.status, "FAILED");
  assert.ok(json.error.includes(String(body.length)), json.error);
  assert.ok(json.error.includes(String(limits.resultBytes)), json.error);

  const whole = await running(service, endpoint, worker);
  const largest = `{"output":"${"y".repeat(limits.resultBytes - 13)}"}`;
  assert.equal((await whole.done(largest)).status, 200);
  assert.equal((await whole.status()).json.output.length, limits.resultBytes - 13);
});

test("a worker that asks to be stopped gets no more jobs, but its result is kept", async (t) => {
  const service = await startService(t, { protocol: { pollHoldMs: 200, refuseHoldMs: 200 } });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const job = await running(service, endpoint, worker);
  await job.done('{"output":{"x":1},"stopPod":true}');
  assert.deepEqual((await job.status()).json.output, { x: 1 });
  const next = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  assert.notEqual((await worker.call("job-take", "?job_in_progress=0")).status, 200);
  const other = await service.makeWorker(endpoint);
  assert.equal((await other.call("job-take")).json.id, next.json.id);
});
