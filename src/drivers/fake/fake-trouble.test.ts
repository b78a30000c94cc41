// A fake worker makes the trouble that it is told to make, and no other.
import assert from "node:assert/strict";
import { worker } from "./fake-stage.ts";

worker(
  "fails, loses and asks for a refresh every so many jobs",
  ["--fail-every", "2", "--lose-every", "3", "--refresh-every", "5", "--echo"],
  6,
  async ({ clock, queue, printed }) => {
    await clock.advance(1000);
    const results = queue.results();
    assert.deepEqual(Object.keys(results), ["j1", "j2", "j4", "j5"]);
    assert.deepEqual(results.j1, [{ output: { n: 1 } }]);
    assert.match((results.j2![0] as { error: string }).error, /^{"error_type".*job 2 was to fail/);
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
  worker(
    `posts a wrong result: ${as}`,
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

worker("posts twice", ["--post-twice"], 1, async ({ clock, queue }) => {
  await clock.advance(100);
  const [first, second] = queue.calls("job-done", "j1");
  assert.ok(first);
  assert.deepEqual(second, first);
});

worker(
  "crashes at the start, before any call",
  ["--crash-at-start", "--start-ms", "500", "--exit-code", "9"],
  1,
  async ({ clock, queue, see }) => {
    await clock.advance(1000);
    const { state, exitCode, startedAt, endedAt } = await see();
    assert.deepEqual([state, exitCode, endedAt! - startedAt], ["ended", 9, 500]);
    assert.equal(queue.seen.length, 0);
  },
);

worker(
  "fails its self-test, says so and ends with 1",
  ["--unhealthy"],
  1,
  async ({ clock, queue, see }) => {
    await clock.advance(100);
    assert.deepEqual(
      queue.seen.map(({ route, query }) => [route, query.status]),
      [["ping", "unhealthy"]],
    );
    assert.equal((await see()).exitCode, 1);
  },
);

worker(
  "crashes after so many results",
  ["--crash-after", "2", "--exit-code", "137"],
  5,
  async ({ clock, queue, see }) => {
    await clock.advance(60_000);
    assert.deepEqual(Object.keys(queue.results()), ["j1", "j2"]);
    assert.equal((await see()).exitCode, 137);
    assert.equal(queue.open, 0);
    assert.equal(queue.jobs.length, 3);
  },
);

worker(
  "crashes in the middle of a job and leaves no trace of it",
  ["--crash-during", "2", "--job-ms", "1000"],
  3,
  async ({ clock, queue, see }) => {
    await clock.advance(1499);
    assert.equal((await see()).state, "running");
    await clock.advance(60_000);
    assert.deepEqual(Object.keys(queue.results()), ["j1"]);
    const { state, exitCode } = await see();
    assert.deepEqual([state, exitCode], ["ended", 1]);
  },
);

worker(
  "falls silent with a job in its hands, and can find its voice again",
  ["--silent-after", "1"],
  3,
  async ({ clock, queue, driver, see }) => {
    await clock.advance(1000);
    const calls = queue.seen.length;
    await clock.advance(120_000);
    assert.equal(queue.seen.length, calls);
    assert.equal((await see()).state, "running");
    assert.deepEqual(Object.keys(queue.results()), ["j1"]);
    driver.tell("w1", { silent: false, silentAfter: null });
    await clock.advance(5000);
    assert.deepEqual(Object.keys(queue.results()), ["j1", "j2", "j3"]);
  },
);

worker(
  "silence that is ordered swallows what is under way",
  ["--job-ms", "1000"],
  1,
  async ({ clock, queue, driver, see }) => {
    await clock.advance(500);
    driver.tell("w1", { silent: true });
    await clock.advance(60_000);
    assert.deepEqual(queue.calls("job-done"), []);
    const stopped = driver.stop("w1", 5000);
    await clock.advance(5000);
    await stopped;
    assert.equal((await see()).signal, "SIGKILL");
  },
);

worker(
  "lies about its id in every call, with its own key",
  ["--claim-id", "w2", "--stream", "1"],
  1,
  async ({ clock, queue }) => {
    await clock.advance(5000);
    const routes = new Set(queue.seen.map(({ route }) => route));
    assert.deepEqual([...routes].sort(), [
      "job-done",
      "job-stop",
      "job-stream",
      "job-take",
      "ping",
    ]);
    for (const { worker, authorization } of queue.seen) {
      assert.deepEqual([worker, authorization], ["w2", "key-of-w1"]);
    }
  },
);
