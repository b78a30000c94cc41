// A fake worker speaks the worker protocol as a real one does.
import assert from "node:assert/strict";
import { addJobs, worker } from "./fake-stage.ts";

worker("takes jobs as a real worker does", [], 2, async ({ clock, queue }) => {
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
  // From here on one poll is held, and another one for jobs to stop.
  assert.equal(queue.open, 2);
});

worker(
  "a slow start, slow jobs and pings that list them",
  ["--start-ms", "1000", "--job-ms", "5000"],
  1,
  async ({ clock, queue }) => {
    await clock.advance(999);
    assert.equal(queue.seen.length, 0);
    await clock.advance(5000);
    assert.equal(queue.calls("job-done").length, 0);
    await clock.advance(4000);
    assert.equal(queue.calls("job-done")[0]?.at, queue.seen[0]!.at + 5000);
    const pings = queue
      .calls("ping")
      .map(({ at, query }) => [at - queue.seen[0]!.at, query.job_id]);
    assert.deepEqual(pings, [
      [0, undefined],
      [4000, "j1"],
      [8000, undefined],
    ]);
    assert.equal(queue.calls("ping")[0]?.query.runpod_version, "1.12.0");
  },
);

worker(
  "several jobs at once, in batches no larger than is free",
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

worker(
  "echoes, streams and reports progress",
  ["--echo", "--stream", "2", "--progress", "1", "--job-ms", "400"],
  1,
  async ({ clock, queue }) => {
    await clock.advance(1000);
    const posts = queue.seen
      .filter(({ method }) => method === "POST")
      .map(({ at, route, query, body }) => [at - queue.seen[0]!.at, route, query.isStream, body]);
    assert.deepEqual(posts, [
      [100, "job-done", "false", '{"status":"IN_PROGRESS","output":{"step":1,"of":1}}'],
      [200, "job-stream", "false", '{"output":{"n":1}}'],
      [300, "job-stream", "false", '{"output":{"n":1}}'],
      [400, "job-done", "true", '{"output":[]}'],
    ]);
  },
);

worker(
  "ends its jobs before it ends itself, and takes no more",
  ["--job-ms", "3000", "--stop-ms", "500"],
  2,
  async ({ clock, queue, driver, see }) => {
    await clock.advance(1000);
    const stopped = driver.stop("w1", 60_000);
    await clock.advance(10_000);
    await stopped;
    const { exitCode, signal, startedAt, endedAt } = await see();
    assert.deepEqual([exitCode, signal, endedAt! - startedAt], [0, null, 3500]);
    assert.deepEqual(Object.keys(queue.results()), ["j1"]);
    assert.equal(queue.jobs.length, 1);
    assert.equal(queue.open, 0);
  },
);

worker(
  "an idle worker lets go of its poll at once when it is stopped",
  [],
  0,
  async ({ clock, queue, driver, see }) => {
    await clock.advance(1000);
    assert.equal(queue.open, 2);
    await driver.stop("w1", 60_000);
    await clock.advance(0);
    assert.equal(queue.open, 0);
    assert.equal((await see()).exitCode, 0);
  },
);

worker(
  "drops a job that it is told to stop, and posts nothing",
  ["--job-ms", "60000"],
  2,
  async ({ clock, queue, printed }) => {
    await clock.advance(1000);
    queue.toStop.push("j1", "unknown");
    await clock.advance(5000);
    assert.match(await printed(), /stopped job j1\n.*took job j2/);
    await clock.advance(120_000);
    assert.deepEqual(Object.keys(queue.results()), ["j2"]);
  },
);

worker(
  "can be one that never asks which jobs to stop",
  ["--ignore-cancel", "--job-ms", "5000"],
  1,
  async ({ clock, queue }) => {
    queue.toStop.push("j1");
    await clock.advance(10_000);
    assert.deepEqual(queue.calls("job-stop"), []);
    assert.deepEqual(Object.keys(queue.results()), ["j1"]);
  },
);

worker("works without pings", ["--no-pings"], 1, async ({ clock, queue }) => {
  await clock.advance(30_000);
  assert.deepEqual(queue.calls("ping"), []);
  assert.equal(queue.calls("job-done").length, 1);
});

worker(
  "a post is tried again after a server's error, and lost after a refusal",
  [],
  0,
  async ({ clock, queue, printed }) => {
    let left = 2;
    queue.instead = ({ route, job }) => {
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

for (const [name, reply, most] of [
  ["an instant 204", { status: 204 }, 62],
  ["a wrong key", { status: 401 }, 12],
  ["a broken server", { status: 500 }, 12],
  ["too many requests", { status: 429 }, 14],
  ["nobody there", null, 12],
  ["something that is no job", { status: 200, text: '{"id":7}' }, 62],
  ["no JSON", { status: 200, text: "<html>" }, 62],
] as const) {
  worker(`never polls in a tight loop: ${name}`, [], 0, async ({ clock, queue, see }) => {
    queue.instead = ({ route }) => (route === "ping" ? undefined : reply);
    await clock.advance(60_000);
    for (const route of ["job-take", "job-stop"]) {
      const { length } = queue.calls(route);
      assert.ok(length >= 5 && length <= most, `${route}: ${length} polls in a minute`);
    }
    assert.equal((await see()).state, "running");
    queue.instead = () => undefined;
    addJobs(queue, 1, 1);
    await clock.advance(31_000);
    assert.deepEqual(Object.keys(queue.results()), ["j1"]);
  });
}
