// Tests of a simulated worker's side of the worker protocol.
import assert from "node:assert/strict";
import { addJobs, workerTest } from "../../../../test/fixtures/simulated-driver/worker-fixture.ts";

workerTest("takes jobs and posts their results", [], 2, async ({ clock, queue }) => {
  await clock.advance(100);
  const [take] = queue.calls("job-take");
  assert.deepEqual(take?.query, { job_in_progress: "0" });
  assert.equal(take?.authorization, "key-of-w1");
  assert.deepEqual(queue.results(), {
    j1: [{ output: { worker: "w1", job: 1 } }],
    j2: [{ output: { worker: "w1", job: 2 } }],
  });
  const [done] = queue.calls("job-done");
  assert.deepEqual([done?.method, done?.worker, done?.query.isStream], ["POST", "w1", "false"]);
  // From here on one poll for jobs is open, and one for jobs to stop.
  assert.equal(queue.openPolls, 2);
});

workerTest(
  "starts slowly, works slowly, and lists its jobs in its pings",
  ["--start-ms", "1000", "--job-ms", "5000"],
  1,
  async ({ clock, queue }) => {
    await clock.advance(999);
    assert.equal(queue.received.length, 0);
    await clock.advance(5000);
    assert.equal(queue.calls("job-done").length, 0);
    await clock.advance(4000);
    assert.equal(queue.calls("job-done")[0]?.at, queue.received[0]!.at + 5000);
    const pings = queue
      .calls("ping")
      .map(({ at, query }) => [at - queue.received[0]!.at, query.job_id]);
    assert.deepEqual(pings, [
      [0, undefined],
      [4000, "j1"],
      [8000, undefined],
    ]);
    assert.equal(queue.calls("ping")[0]?.query.runpod_version, "1.12.0");
  },
);

workerTest(
  "takes several jobs at once, in batches no larger than its free slots",
  ["--concurrency", "3", "--job-ms", "1000"],
  5,
  async ({ clock, queue }) => {
    await clock.advance(500);
    assert.equal(queue.calls("job-take-batch")[0]?.query.batch_size, "3");
    assert.deepEqual(queue.jobs.length, 2);
    await clock.advance(10_000);
    assert.equal(queue.calls("job-done").length, 5);
    for (const { query } of queue.calls("job-take-batch")) assert.ok(Number(query.batch_size) <= 3);
  },
);

workerTest(
  "echoes, streams and reports progress",
  ["--echo", "--stream", "2", "--progress", "1", "--job-ms", "400"],
  1,
  async ({ clock, queue }) => {
    await clock.advance(1000);
    const posts = queue.received
      .filter(({ method }) => method === "POST")
      .map(({ at, route, query, body }) => [
        at - queue.received[0]!.at,
        route,
        query.isStream,
        body,
      ]);
    assert.deepEqual(posts, [
      [100, "job-done", "false", '{"status":"IN_PROGRESS","output":{"step":1,"of":1}}'],
      [200, "job-stream", "false", '{"output":{"n":1}}'],
      [300, "job-stream", "false", '{"output":{"n":1}}'],
      [400, "job-done", "true", '{"output":[]}'],
    ]);
  },
);

workerTest(
  "finishes its jobs after SIGTERM and takes no more",
  ["--job-ms", "3000", "--stop-ms", "500"],
  2,
  async ({ clock, queue, driver, observe: see }) => {
    await clock.advance(1000);
    const stopped = driver.stop("w1", 60_000);
    await clock.advance(10_000);
    await stopped;
    const { exitCode, signal, startedAt, endedAt } = await see();
    assert.deepEqual([exitCode, signal, endedAt! - startedAt], [0, null, 3500]);
    assert.deepEqual(Object.keys(queue.results()), ["j1"]);
    assert.equal(queue.jobs.length, 1);
    assert.equal(queue.openPolls, 0);
  },
);

workerTest(
  "closes its poll at once when it is stopped while idle",
  [],
  0,
  async ({ clock, queue, driver, observe: see }) => {
    await clock.advance(1000);
    assert.equal(queue.openPolls, 2);
    await driver.stop("w1", 60_000);
    await clock.advance(0);
    assert.equal(queue.openPolls, 0);
    assert.equal((await see()).exitCode, 0);
  },
);

workerTest(
  "drops a stopped job and posts nothing for it",
  ["--job-ms", "60000"],
  2,
  async ({ clock, queue, logText: printed }) => {
    await clock.advance(1000);
    queue.toStop.push("j1", "unknown");
    await clock.advance(5000);
    assert.match(await printed(), /stopped job j1\n.*took job j2/);
    await clock.advance(120_000);
    assert.deepEqual(Object.keys(queue.results()), ["j2"]);
  },
);

workerTest(
  "never polls for jobs to stop with --ignore-cancel",
  ["--ignore-cancel", "--job-ms", "5000"],
  1,
  async ({ clock, queue }) => {
    queue.toStop.push("j1");
    await clock.advance(10_000);
    assert.deepEqual(queue.calls("job-stop"), []);
    assert.deepEqual(Object.keys(queue.results()), ["j1"]);
  },
);

workerTest("works without pings", ["--no-pings"], 1, async ({ clock, queue }) => {
  await clock.advance(30_000);
  assert.deepEqual(queue.calls("ping"), []);
  assert.equal(queue.calls("job-done").length, 1);
});

workerTest(
  "retries a post after a server error, and drops it after a refusal",
  [],
  0,
  async ({ clock, queue, logText: printed }) => {
    let left = 2;
    queue.override = ({ route, job }) => {
      if (route !== "job-done") return undefined;
      if (job === "j2") return { status: 400 };
      if (job === "j3") return null;
      return left-- > 0 ? { status: 503 } : undefined;
    };
    addJobs(queue, 1, 3);
    await clock.advance(30_000);
    const [first, ...rest] = queue.calls("job-done", "j1").map(({ at }) => at);
    assert.deepEqual(
      rest.map((at) => at - first!),
      [2000, 5000],
    );
    assert.equal(queue.calls("job-done", "j2").length, 1);
    assert.equal(queue.calls("job-done", "j3").length, 1);
    assert.match(await printed(), /a post was answered 400[\s\S]*a post was not answered/);
  },
);

for (const [name, reply, maxPolls] of [
  ["an instant 204", { status: 204 }, 62],
  ["a wrong key", { status: 401 }, 12],
  ["a broken server", { status: 500 }, 12],
  ["too many requests", { status: 429 }, 14],
  ["no connection", null, 12],
  ["an element that is not a job", { status: 200, text: '{"id":7}' }, 62],
  ["an answer that is not JSON", { status: 200, text: "<html>" }, 62],
] as const) {
  workerTest(
    `never polls in a tight loop: ${name}`,
    [],
    0,
    async ({ clock, queue, observe: see }) => {
      queue.override = ({ route }) => (route === "ping" ? undefined : reply);
      await clock.advance(60_000);
      for (const route of ["job-take", "job-stop"]) {
        const { length } = queue.calls(route);
        assert.ok(length >= 5 && length <= maxPolls, `${route}: ${length} polls in a minute`);
      }
      assert.equal((await see()).state, "running");
      queue.override = () => undefined;
      addJobs(queue, 1, 1);
      await clock.advance(31_000);
      assert.deepEqual(Object.keys(queue.results()), ["j1"]);
    },
  );
}
