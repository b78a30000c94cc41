// Tests of the faults that a simulated worker simulates.
import assert from "node:assert/strict";
import { workerTest } from "../../../../test/fixtures/simulated-driver/worker-fixture.ts";

workerTest(
  "fails, loses or refreshes after every nth job",
  ["--fail-every", "2", "--lose-every", "3", "--refresh-every", "5", "--echo"],
  6,
  async ({ clock, queue, logText: printed }) => {
    await clock.advance(1000);
    const results = queue.results();
    assert.deepEqual(Object.keys(results), ["j1", "j2", "j4", "j5"]);
    assert.deepEqual(results.j1, [{ output: { n: 1 } }]);
    assert.match(
      (results.j2![0] as { error: string }).error,
      /^{"error_type".*job 2 was configured to fail/,
    );
    assert.deepEqual(results.j5, [{ output: { n: 5 }, stopPod: true }]);
    assert.match(await printed(), /never posts the result of job j3/);
  },
);

for (const [as, job, body] of [
  ["text", "j2", /^Segmentation fault$/],
  ["null", "j2", /^null$/],
  ["empty", "j2", /^{}$/],
  ["bare", "j2", /^{"worker":"w1","job":2}$/],
  ["nan", "j2", /NaN/],
  ["wrong-job", "j2-of-nobody", /^{"output":/],
] as const) {
  workerTest(
    `posts a malformed result: ${as}`,
    ["--malformed-every", "2", "--malformed-as", as],
    3,
    async ({ clock, queue }) => {
      await clock.advance(1000);
      const posts = queue.calls("job-done");
      assert.deepEqual(
        posts.map((post) => post.job),
        ["j1", job, "j3"],
      );
      assert.match(posts[1]!.body!, body);
    },
  );
}

workerTest("posts every result twice", ["--post-twice"], 1, async ({ clock, queue }) => {
  await clock.advance(100);
  const [first, second] = queue.calls("job-done", "j1");
  assert.ok(first);
  assert.deepEqual(second, first);
});

workerTest(
  "crashes at the start before its first call",
  ["--crash-at-start", "--start-ms", "500", "--exit-code", "9"],
  1,
  async ({ clock, queue, observe: see }) => {
    await clock.advance(1000);
    const { state, exitCode, startedAt, endedAt } = await see();
    assert.deepEqual([state, exitCode, endedAt! - startedAt], ["ended", 9, 500]);
    assert.equal(queue.received.length, 0);
  },
);

workerTest(
  "reports a failed self-test and ends with 1",
  ["--unhealthy"],
  1,
  async ({ clock, queue, observe: see }) => {
    await clock.advance(100);
    assert.deepEqual(
      queue.received.map(({ route, query }) => [route, query.status]),
      [["ping", "unhealthy"]],
    );
    assert.equal((await see()).exitCode, 1);
  },
);

workerTest(
  "crashes after a number of results",
  ["--crash-after", "2", "--exit-code", "137"],
  5,
  async ({ clock, queue, observe: see }) => {
    await clock.advance(60_000);
    assert.deepEqual(Object.keys(queue.results()), ["j1", "j2"]);
    assert.equal((await see()).exitCode, 137);
    assert.equal(queue.openPolls, 0);
    assert.equal(queue.jobs.length, 3);
  },
);

workerTest(
  "crashes in the middle of a job without posting anything",
  ["--crash-during", "2", "--job-ms", "1000"],
  3,
  async ({ clock, queue, observe: see }) => {
    await clock.advance(1499);
    assert.equal((await see()).state, "running");
    await clock.advance(60_000);
    assert.deepEqual(Object.keys(queue.results()), ["j1"]);
    const { state, exitCode } = await see();
    assert.deepEqual([state, exitCode], ["ended", 1]);
  },
);

workerTest(
  "falls silent while it holds a job, and continues when the silence ends",
  ["--silent-after", "1"],
  3,
  async ({ clock, queue, driver, observe: see }) => {
    await clock.advance(1000);
    const calls = queue.received.length;
    await clock.advance(120_000);
    assert.equal(queue.received.length, calls);
    assert.equal((await see()).state, "running");
    assert.deepEqual(Object.keys(queue.results()), ["j1"]);
    driver.control("w1", { silent: false, silentAfter: null });
    await clock.advance(5000);
    assert.deepEqual(Object.keys(queue.results()), ["j1", "j2", "j3"]);
  },
);

workerTest(
  "a silenced worker posts nothing for the job in progress, and only SIGKILL ends it",
  ["--job-ms", "1000"],
  1,
  async ({ clock, queue, driver, observe: see }) => {
    await clock.advance(500);
    driver.control("w1", { silent: true });
    await clock.advance(60_000);
    assert.deepEqual(queue.calls("job-done"), []);
    const stopped = driver.stop("w1", 5000);
    await clock.advance(5000);
    await stopped;
    assert.equal((await see()).signal, "SIGKILL");
  },
);

workerTest(
  "sends a wrong worker id in every call, with its own key",
  ["--claim-id", "w2", "--stream", "1"],
  1,
  async ({ clock, queue }) => {
    await clock.advance(5000);
    const routes = new Set(queue.received.map(({ route }) => route));
    assert.deepEqual([...routes].sort(), [
      "job-done",
      "job-stop",
      "job-stream",
      "job-take",
      "ping",
    ]);
    for (const { worker, authorization } of queue.received) {
      assert.deepEqual([worker, authorization], ["w2", "key-of-w1"]);
    }
  },
);
