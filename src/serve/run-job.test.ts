// Tests of one job: its handler's arguments, and the posts while and after it runs.

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { gate, startWorker } from "../../test/fixtures/worker/worker-fixture.ts";

test("streams a generator's values in order, one at a time", async (t) => {
  const { server, finished } = await startWorker<unknown, unknown>(t, {
    concurrency: 2,
    handler: ({ id }) => {
      if (id === "async") return asynchronous();
      return synchronous();
    },
  });
  async function* asynchronous() {
    for (let n = 0; n < 20; n++) yield { n };
  }
  function* synchronous() {
    yield* ["a", null, undefined];
  }
  server.addJobs({ id: "async", input: 1 }, { id: "sync", input: 1 });
  await finished("async", "sync");

  const numbers = Array.from({ length: 20 }, (_, n) => ({ output: { n } }));
  assert.deepEqual(server.posts("async", "job-stream"), numbers);
  assert.deepEqual(server.posts("sync", "job-stream"), [
    { output: "a" },
    { output: null },
    { output: null },
  ]);
  assert.deepEqual(server.posts("async"), [{ output: [] }]);
  const [chunk] = server.requestsOn("job-stream");
  assert.equal(chunk?.url.search, "?gpu=A+B&isStream=false");
  const [done] = server.requestsOn("job-done");
  assert.equal(done?.url.search, "?gpu=A+B&isStream=true");
});

test("the final result of a generator is all its values with returnAggregateStream", async (t) => {
  const { server, finished } = await startWorker(t, {
    returnAggregateStream: true,
    async *handler() {
      const reused = { n: 0 };
      for (reused.n = 0; reused.n < 3; reused.n++) yield reused;
    },
  });
  server.addJobs({ id: "j1", input: 1 });
  await finished("j1");
  assert.deepEqual(server.posts("j1"), [{ output: [{ n: 0 }, { n: 1 }, { n: 2 }] }]);
});

test("a yielded error ends the stream, and so does a thrown one", async (t) => {
  const closed: string[] = [];
  const { server, finished } = await startWorker(t, {
    async *handler({ id }) {
      try {
        yield 1;
        if (id === "throws") throw new RangeError("too far");
        yield { error: "given up" };
        yield 2;
      } finally {
        closed.push(id);
      }
    },
  });
  server.addJobs({ id: "yields", input: 1 }, { id: "throws", input: 1 });
  await finished("yields", "throws");
  assert.deepEqual(server.posts("yields", "job-stream"), [{ output: 1 }]);
  assert.deepEqual(server.posts("yields"), [{ error: "given up" }]);
  assert.deepEqual(server.posts("throws", "job-stream"), [{ output: 1 }]);
  const [{ error }] = server.posts("throws") as [{ error: string }];
  assert.equal(JSON.parse(error).error_message, "too far");
  assert.deepEqual(closed, ["yields", "throws"]);
});

test("a refused chunk fails the job instead of leaving a hole", async (t) => {
  const { server, finished } = await startWorker(t, {
    async *handler() {
      yield 1;
      yield 2;
    },
  });
  server.answer = ({ route, text }) =>
    route === "job-stream" && text.includes("2") ? { status: 413, text: "too large" } : null;
  server.addJobs({ id: "j1", input: 1 });
  await finished("j1");
  const [{ error }] = server.posts("j1") as [{ error: string }];
  assert.match(JSON.parse(error).error_message, /job-stream\/w1\/j1 was answered HTTP 413/);
});

test("progress is posted in order, the newest waiting value next, never after the result", async (t) => {
  const { server } = await startWorker(t, {
    handler: async (_job, { progress }) => {
      await progress("one");
      progress("two");
      progress("overtaken");
      await progress("three");
      await progress(10n);
      progress("four");
      progress("dropped");
      return "result";
    },
  });
  server.addJobs({ id: "j1", input: 1 });
  await server.until(() => server.posts("j1").length === 5);
  assert.deepEqual(server.posts("j1"), [
    ...["one", "two", "three", "four"].map((output) => ({ status: "IN_PROGRESS", output })),
    { output: "result" },
  ]);
});

test("a thrown error is described in the Python SDK's form", async (t) => {
  const { server, environment, finished } = await startWorker(t, {
    handler: ({ id }) => {
      if (id === "string") throw "just words";
      throw new TypeError("no such thing");
    },
  });
  environment.env.RUNPOD_POD_HOSTNAME = "w1-host";
  server.addJobs({ id: "error", input: 1 }, { id: "string", input: 1 });
  await finished("error", "string");
  const [{ error }] = server.posts("error") as [{ error: string }];
  const { error_traceback, runpod_version, ...rest } = JSON.parse(error);
  assert.deepEqual(rest, {
    error_type: "TypeError",
    error_message: "no such thing",
    hostname: "w1-host",
    worker_id: "w1",
  });
  assert.match(error_traceback, /run-job\.test\.ts/);
  assert.match(runpod_version, /^freehold-worker\//);
  const [words] = server.posts("string") as [{ error: string }];
  assert.equal(JSON.parse(words.error).error_message, "just words");
});

test("a result without a JSON form is reported as an error", async (t) => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const results: Record<string, unknown> = { big: { n: 1n }, circular, function: () => 1 };
  const { server, finished } = await startWorker(t, { handler: ({ id }) => results[id] });
  server.addJobs(...Object.keys(results).map((id) => ({ id, input: 1 })));
  await finished(...Object.keys(results));
  for (const id of Object.keys(results)) {
    const [{ error }] = server.posts(id) as [{ error: string }];
    assert.equal(JSON.parse(error).error_type, "TypeError", id);
  }
});

test("a stopped generator ends at its next yield", async (t) => {
  const closed = gate();
  const { server, ended, stop } = await startWorker(t, {
    async *handler(_job, { signal }) {
      try {
        yield 1;
        await once(signal, "abort");
        yield 2;
        yield 3;
      } finally {
        closed.open();
      }
    },
  });
  server.addJobs({ id: "j1", input: 1 });
  await server.until(() => server.requestsOn("job-stream").length === 1);
  server.stopJob("j1");
  await closed.passed;
  stop.abort();
  await ended;
  assert.deepEqual(server.posts("j1"), []);
  assert.deepEqual(server.posts("j1", "job-stream").slice(0, 1), [{ output: 1 }]);
  assert.ok(server.posts("j1", "job-stream").length < 3);
});

test("raw input keeps numbers that JSON.parse would round", async (t) => {
  const { server, finished } = await startWorker(t, { handler: ({ rawInput }) => rawInput });
  server.answer = ({ route }) =>
    route === "job-take" && server.requestsOn("job-take").length === 1
      ? { status: 200, text: '[{"id":"j1", "input": {"n": 12345678901234567890 } }]' }
      : null;
  await finished("j1");
  assert.deepEqual(server.posts("j1"), [{ output: '{"n": 12345678901234567890 }' }]);
});

test("in an endpoint every log line is one JSON object", async (t) => {
  const { server, environment, finished } = await startWorker(t, {
    handler: (_job, { log }) => log.warn("two\nlines"),
  });
  server.addJobs({ id: "j1", input: 1 });
  await finished("j1");
  assert.deepEqual(environment.errorLines, []);
  const lines = environment.outputLines.map((line) => JSON.parse(line));
  assert.deepEqual(lines.filter(({ requestId }) => requestId === "j1").slice(0, 2), [
    { requestId: "j1", message: "Started.", level: "INFO" },
    { requestId: "j1", message: "two\nlines", level: "WARN" },
  ]);
});
