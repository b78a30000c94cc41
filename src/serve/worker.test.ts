// Tests of the worker's takes, concurrency, stops and pings.

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { gate, startWorker } from "../../test/fixtures/worker/worker-fixture.ts";

test("takes one job, passes all of it to the handler and posts the output", async (t) => {
  let received: unknown;
  const { server, finished } = await startWorker(t, {
    handler: (job) => {
      received = job;
      return { got: job.input };
    },
  });
  server.addJobs({ id: "j1", input: { a: "é😀\u0000" }, webhook: "http://x", retries: 1 });
  await finished("j1");

  const [take] = server.requestsOn("job-take");
  assert.equal(take?.url.search, "?gpu=A+B&job_in_progress=0");
  assert.equal(take?.headers.authorization, "secret");
  assert.match(take?.headers["user-agent"] ?? "", /^freehold-worker\/\d/);
  const [done] = server.requestsOn("job-done");
  assert.equal(done?.url.pathname, "/v2/e1/job-done/w1/j1");
  assert.equal(done?.url.search, "?gpu=A+B&isStream=false");
  assert.equal(done?.headers.authorization, "secret");
  assert.equal(done?.text, '{"output":{"got":{"a":"é😀\\u0000"}}}');
  assert.deepEqual(received, {
    id: "j1",
    input: { a: "é😀\u0000" },
    webhook: "http://x",
    retries: 1,
  });
});

test("says how its start went until a call succeeds", async (t) => {
  const { server, environment } = await startWorker(t, { handler: () => null });
  await server.until(() => server.requestsOn("ping").length === 1);
  await environment.untilSleeping(1);
  environment.advance(10_000);
  await server.until(() => server.requestsOn("ping").length === 2);
  const said = server.requestsOn("ping").map(({ headers }) => headers["freehold-worker-start"]);
  assert.deepEqual(said, ["process=0, loaded=0", undefined]);
});

test("takes as many jobs as it has free slots, and reports whether it is busy", async (t) => {
  const hold = gate();
  const { server, environment, finished } = await startWorker(t, {
    concurrency: 3,
    handler: async ({ input }) => {
      if (input === "slow") await hold.passed;
      return input;
    },
  });
  await server.until(() => server.openPolls("job-take-batch") === 1);
  server.addJobs({ id: "j1", input: "slow" }, { id: "j2", input: "slow" });
  await server.until(() => server.openPolls("job-take") === 1);
  server.addJobs({ id: "j3", input: "quick" });
  await finished("j3");
  hold.open();
  await finished("j1", "j2");
  await server.until(() => server.openPolls("job-take") === 1);
  server.releasePolls();
  await environment.untilSleeping(3);
  environment.wakeNext();
  await server.until(() => server.requestsOn("job-take-batch").length > 1);

  const searches = server.requests
    .filter(({ route }) => route.startsWith("job-take"))
    .map(({ url }) => url.search);
  assert.equal(searches[0], "?gpu=A+B&batch_size=3&job_in_progress=0");
  assert.equal(searches[1], "?gpu=A+B&job_in_progress=1");
});

test("calls a concurrency function before every take, and while it has no free slot", async (t) => {
  const answers = [1, Number.NaN, 2];
  const calls: number[] = [];
  const hold = gate();
  const { server, environment, finished } = await startWorker(t, {
    concurrency: (current) => {
      calls.push(current);
      return answers.shift() ?? 2;
    },
    handler: () => hold.passed,
  });
  server.addJobs({ id: "j1", input: 1 }, { id: "j2", input: 2 });
  await server.until(() => server.requestsOn("job-take").length === 1);
  await environment.untilSleeping(2);
  environment.advance(1_000);
  await server.until(() => server.requestsOn("job-take").length === 2);
  hold.open();
  await finished("j1", "j2");
  assert.deepEqual(calls.slice(0, 3), [1, 1, 1]);
});

test("a concurrency function that throws does not change the concurrency", async (t) => {
  const { server, finished, environment } = await startWorker(t, {
    concurrency: () => {
      throw new Error("no idea");
    },
    handler: () => 1,
  });
  server.addJobs({ id: "j1", input: 1 });
  await finished("j1");
  assert.match(environment.outputLines.join("\n"), /concurrency stays 1: Error: no idea/);
});

test("a job that runs already is not started again", async (t) => {
  let runs = 0;
  const hold = gate();
  const { server, environment, finished } = await startWorker(t, {
    concurrency: 2,
    handler: async () => {
      runs++;
      await hold.passed;
    },
  });
  await server.until(() => server.openPolls("job-take-batch") === 1);
  server.addJobs({ id: "j1", input: 1 }, { id: "j1", input: 1 });
  await server.until(() => server.openPolls("job-take") === 1);
  server.addJobs({ id: "j1", input: 1 });
  await environment.untilSleeping(2);
  hold.open();
  await finished("j1");
  assert.equal(runs, 1);
});

test("an element without an id is skipped, a job without an input fails, and the others run", async (t) => {
  const { server, environment, finished } = await startWorker(t, {
    concurrency: 4,
    handler: () => "ran",
  });
  await server.until(() => server.openPolls("job-take-batch") === 1);
  server.addJobs({ input: 1 }, 7, { id: "j1" }, { id: "j2", input: null });
  await finished("j1", "j2");
  assert.deepEqual(server.posts("j2"), [{ output: "ran" }]);
  const [{ error }] = server.posts("j1") as [{ error: string }];
  assert.equal(JSON.parse(error).error_message, "the job has no input");
  assert.match(environment.outputLines.join("\n"), /not a job: 7/);
});

test("refresh_worker in a result requests a new worker, and this one continues", async (t) => {
  const { server, finished } = await startWorker(t, {
    handler: () => ({ refresh_worker: true, value: 1 }),
  });
  server.addJobs({ id: "j1", input: 1 }, { id: "j2", input: 1 });
  await finished("j1", "j2");
  assert.deepEqual(server.posts("j1"), [{ output: { value: 1 }, stopPod: true }]);
});

test("the option refreshWorker requests a new worker and ends this one", async (t) => {
  const { server, ended } = await startWorker(t, {
    refreshWorker: true,
    handler: () => {
      throw new Error("even so");
    },
  });
  server.addJobs({ id: "j1", input: 1 }, { id: "j2", input: 1 });
  await ended;
  const [{ stopPod, error }] = server.posts("j1") as [{ stopPod: boolean; error: string }];
  assert.equal(stopPod, true);
  assert.ok(error);
  assert.equal(server.queue.length, 1);
});

test("the stop channel aborts one job, which posts nothing, while others continue", async (t) => {
  const aborted = gate<unknown>();
  const started = gate();
  const hold = gate();
  const { server, finished } = await startWorker(t, {
    concurrency: 2,
    handler: async ({ id }, { signal }) => {
      if (id === "other") {
        started.open();
        await hold.passed;
        return signal.aborted;
      }
      await once(signal, "abort");
      aborted.open(signal.reason);
      signal.throwIfAborted();
    },
  });
  await server.until(
    () => server.openPolls("job-take-batch") === 1 && server.openPolls("job-stop") === 1,
  );
  assert.equal(server.requestsOn("job-stop")[0]?.url.search, "?gpu=A+B");
  server.addJobs({ id: "victim", input: 1 }, { id: "other", input: 1 });
  await started.passed;
  server.stopJob("victim");
  const reason = (await aborted.passed) as Error;
  assert.equal(reason.name, "AbortError");
  hold.open();
  await finished("other");
  assert.deepEqual(server.posts("other"), [{ output: false }]);
  assert.deepEqual(server.posts("victim"), []);
});

test("pings at once and at every interval, with the ids of its jobs", async (t) => {
  const started = gate();
  const hold = gate();
  const { server, environment, finished } = await startWorker(t, {
    concurrency: 2,
    handler: ({ id }) => {
      if (id === "j2") started.open();
      return hold.passed;
    },
  });
  await server.until(() => server.requestsOn("ping").length === 1);
  await server.until(() => server.openPolls("job-take-batch") === 1);
  server.addJobs({ id: "j1", input: 1 }, { id: "j2", input: 1 });
  await started.passed;
  await environment.untilSleeping(1);
  environment.advance(9_999);
  environment.advance(1);
  await server.until(() => server.requestsOn("ping").length === 2);
  hold.open();
  await finished("j1", "j2");
  const [first, second] = server.requestsOn("ping");
  assert.equal(first?.url.search, "?gpu=A+B");
  assert.equal(second?.url.search, "?gpu=A+B&job_id=j1%2Cj2");
});
