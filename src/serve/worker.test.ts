// The worker against a server that speaks the protocol: what it takes, holds, stops and pings.

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { gate, raise } from "./rehearsal/stage.ts";

test("takes one job, hands over the whole of it and posts the output", async (t) => {
  let seen: unknown;
  const { server, finished } = await raise(t, {
    handler: (job) => {
      seen = job;
      return { got: job.input };
    },
  });
  server.give({ id: "j1", input: { a: "é😀\u0000" }, webhook: "http://x", retries: 1 });
  await finished("j1");

  const [take] = server.on("job-take");
  assert.equal(take?.url.search, "?gpu=A+B&job_in_progress=0");
  assert.equal(take?.headers.authorization, "secret");
  assert.match(take?.headers["user-agent"] ?? "", /^freehold-worker\/\d/);
  const [done] = server.on("job-done");
  assert.equal(done?.url.pathname, "/v2/e1/job-done/w1/j1");
  assert.equal(done?.url.search, "?gpu=A+B&isStream=false");
  assert.equal(done?.headers.authorization, "secret");
  assert.equal(done?.text, '{"output":{"got":{"a":"é😀\\u0000"}}}');
  assert.deepEqual(seen, {
    id: "j1",
    input: { a: "é😀\u0000" },
    webhook: "http://x",
    retries: 1,
  });
});

test("takes as many as it has room for, and says whether it is busy", async (t) => {
  const hold = gate();
  const { server, world, finished } = await raise(t, {
    concurrency: 3,
    handler: async ({ input }) => {
      if (input === "slow") await hold.passed;
      return input;
    },
  });
  await server.until(() => server.held("job-take-batch") === 1);
  server.give({ id: "j1", input: "slow" }, { id: "j2", input: "slow" });
  await server.until(() => server.held("job-take") === 1);
  server.give({ id: "j3", input: "quick" });
  await finished("j3");
  hold.open();
  await finished("j1", "j2");
  await server.until(() => server.held("job-take") === 1);
  server.releasePolls();
  await world.asleep(3);
  world.wakeNext();
  await server.until(() => server.on("job-take-batch").length > 1);

  const searches = server.asked
    .filter(({ route }) => route.startsWith("job-take"))
    .map(({ url }) => url.search);
  assert.equal(searches[0], "?gpu=A+B&batch_size=3&job_in_progress=0");
  assert.equal(searches[1], "?gpu=A+B&job_in_progress=1");
});

test("asks a concurrency function before every take, also while it has no room", async (t) => {
  const answers = [1, Number.NaN, 2];
  const given: number[] = [];
  const hold = gate();
  const { server, world, finished } = await raise(t, {
    concurrency: (current) => {
      given.push(current);
      return answers.shift() ?? 2;
    },
    handler: () => hold.passed,
  });
  server.give({ id: "j1", input: 1 }, { id: "j2", input: 2 });
  await server.until(() => server.on("job-take").length === 1);
  await world.asleep(2);
  world.pass(1_000);
  await server.until(() => server.on("job-take").length === 2);
  hold.open();
  await finished("j1", "j2");
  assert.deepEqual(given.slice(0, 3), [1, 1, 1]);
});

test("a concurrency function that throws changes nothing", async (t) => {
  const { server, finished, world } = await raise(t, {
    concurrency: () => {
      throw new Error("no idea");
    },
    handler: () => 1,
  });
  server.give({ id: "j1", input: 1 });
  await finished("j1");
  assert.match(world.printed.join("\n"), /concurrency stays 1: Error: no idea/);
});

test("a job it already runs is not run twice", async (t) => {
  let runs = 0;
  const hold = gate();
  const { server, world, finished } = await raise(t, {
    concurrency: 2,
    handler: async () => {
      runs++;
      await hold.passed;
    },
  });
  await server.until(() => server.held("job-take-batch") === 1);
  server.give({ id: "j1", input: 1 }, { id: "j1", input: 1 });
  await server.until(() => server.held("job-take") === 1);
  server.give({ id: "j1", input: 1 });
  await world.asleep(2);
  hold.open();
  await finished("j1");
  assert.equal(runs, 1);
});

test("what has no id is refused, what has no input fails, the others run", async (t) => {
  const { server, world, finished } = await raise(t, { concurrency: 4, handler: () => "ran" });
  await server.until(() => server.held("job-take-batch") === 1);
  server.give({ input: 1 }, 7, { id: "j1" }, { id: "j2", input: null });
  await finished("j1", "j2");
  assert.deepEqual(server.posts("j2"), [{ output: "ran" }]);
  const [{ error }] = server.posts("j1") as [{ error: string }];
  assert.equal(JSON.parse(error).error_message, "the job has no input");
  assert.match(world.printed.join("\n"), /not a job: 7/);
});

test("refresh_worker in a result asks for a fresh worker and goes on meanwhile", async (t) => {
  const { server, finished } = await raise(t, {
    handler: () => ({ refresh_worker: true, value: 1 }),
  });
  server.give({ id: "j1", input: 1 }, { id: "j2", input: 1 });
  await finished("j1", "j2");
  assert.deepEqual(server.posts("j1"), [{ output: { value: 1 }, stopPod: true }]);
});

test("the option refreshWorker asks for one and ends this worker", async (t) => {
  const { server, ended } = await raise(t, {
    refreshWorker: true,
    handler: () => {
      throw new Error("even so");
    },
  });
  server.give({ id: "j1", input: 1 }, { id: "j2", input: 1 });
  await ended;
  const [{ stopPod, error }] = server.posts("j1") as [{ stopPod: boolean; error: string }];
  assert.equal(stopPod, true);
  assert.ok(error);
  assert.equal(server.queue.length, 1);
});

test("the stop channel aborts one job, which posts nothing, while others go on", async (t) => {
  const aborted = gate<unknown>();
  const started = gate();
  const hold = gate();
  const { server, finished } = await raise(t, {
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
  await server.until(() => server.held("job-take-batch") === 1 && server.held("job-stop") === 1);
  assert.equal(server.on("job-stop")[0]?.url.search, "?gpu=A+B");
  server.give({ id: "victim", input: 1 }, { id: "other", input: 1 });
  await started.passed;
  server.stopJob("victim");
  const reason = (await aborted.passed) as Error;
  assert.equal(reason.name, "AbortError");
  hold.open();
  await finished("other");
  assert.deepEqual(server.posts("other"), [{ output: false }]);
  assert.deepEqual(server.posts("victim"), []);
});

test("pings at once and at every interval, naming the jobs it holds", async (t) => {
  const started = gate();
  const hold = gate();
  const { server, world, finished } = await raise(t, {
    concurrency: 2,
    handler: ({ id }) => {
      if (id === "j2") started.open();
      return hold.passed;
    },
  });
  await server.until(() => server.on("ping").length === 1);
  await server.until(() => server.held("job-take-batch") === 1);
  server.give({ id: "j1", input: 1 }, { id: "j2", input: 1 });
  await started.passed;
  await world.asleep(1);
  world.pass(9_999);
  world.pass(1);
  await server.until(() => server.on("ping").length === 2);
  hold.open();
  await finished("j1", "j2");
  const [first, second] = server.on("ping");
  assert.equal(first?.url.search, "?gpu=A+B");
  assert.equal(second?.url.search, "?gpu=A+B&job_id=j1%2Cj2");
});
