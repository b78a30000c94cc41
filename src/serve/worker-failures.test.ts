// Tests of the worker when its server fails or the worker is stopped: results arrive, no request is
// repeated in a tight loop, and no accepted job is dropped.

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import type { Answer } from "../../test/fixtures/worker/protocol-server.ts";
import { VirtualEnvironment } from "../../test/fixtures/worker/virtual-environment.ts";
import { gate, startWorker } from "../../test/fixtures/worker/worker-fixture.ts";
import { start } from "./start.ts";

/** Answers a route with these statuses in order, then as usual. */
function inTurn(route: string, statuses: number[]): Answer {
  return (request) => (request.route === route ? (statuses.shift() ?? null) : null);
}

test("a result is posted again until the server accepts it", async (t) => {
  const answer = inTurn("job-done", [500, 503, 429]);
  const { server, environment } = await startWorker(t, { handler: () => "kept" }, answer);
  server.addJobs({ id: "j1", input: 1 });
  for (let failures = 0; failures < 3; failures++) {
    await environment.untilSleeping(2);
    assert.equal(server.posts("j1").length, failures + 1);
    environment.wakeNext();
  }
  await server.until(() => server.posts("j1").length === 4);
  assert.deepEqual(
    new Set(server.requestsOn("job-done").map(({ text }) => text)),
    new Set(['{"output":"kept"}']),
  );
});

test("a refused result is not posted again, and the loss is logged", async (t) => {
  const { server, environment } = await startWorker(
    t,
    { handler: () => 1 },
    inTurn("job-done", [400]),
  );
  server.addJobs({ id: "j1", input: 1 }, { id: "j2", input: 1 });
  await server.until(() => server.posts("j2").length === 1);
  assert.equal(server.posts("j1").length, 1);
  assert.match(
    environment.outputLines.join("\n"),
    /"j1","message":"The result is lost: POST .* HTTP 400"/,
  );
});

test("a result survives a server that is down for a minute", async (t) => {
  const hold = gate();
  const { server, environment } = await startWorker(t, {
    handler: () => hold.passed.then(() => "kept"),
  });
  server.addJobs({ id: "j1", input: 1 });
  await server.until(() => server.requestsOn("job-take").length === 1 && server.queue.length === 0);
  await server.close();
  hold.open();
  const backAt = environment.now() + 60_000;
  while (environment.now() < backAt) {
    // The post, the stop channel and the ping, or the take in place of the post.
    await environment.untilSleeping(3);
    environment.wakeNext();
  }
  assert.deepEqual(server.posts("j1"), []);
  await server.open();
  const accepted = server.until(() => server.posts("j1").length === 1);
  await environment.untilSleeping(1);
  environment.advance(5_000);
  await accepted;
  assert.deepEqual(server.posts("j1"), [{ output: "kept" }]);
  server.addJobs({ id: "j2", input: 1 });
  const next = server.until(() => server.posts("j2").length === 1);
  environment.advance(5_000);
  await next;
});

test("a server that never recovers does not occupy a slot forever", async (t) => {
  const answer: Answer = ({ route }) => (route === "job-done" ? 500 : null);
  const { server, environment } = await startWorker(t, { handler: () => 1 }, answer);
  server.addJobs({ id: "j1", input: 1 });
  while (server.requestsOn("job-take").length < 2 && environment.now() < 900_000) {
    await Promise.race([
      environment.untilSleeping(2),
      server.until(() => server.openPolls("job-take") > 0),
    ]);
    environment.wakeNext();
  }
  assert.ok(
    environment.now() > 60_000 && environment.now() < 900_000,
    `gave up after ${environment.now()} ms`,
  );
  assert.match(environment.outputLines.join("\n"), /The result is lost/);
});

for (const status of [204, 400, 401, 404, 429, 500]) {
  test(`an instant ${status} is not repeated in a tight loop`, async (t) => {
    const answer: Answer = ({ route }) => (route === "ping" ? null : status);
    const { server, environment } = await startWorker(t, { handler: () => 1 }, answer);
    while (environment.now() < 60_000) {
      await environment.untilSleeping(3);
      environment.wakeNext();
    }
    for (const route of ["job-take", "job-stop"]) {
      const count = server.requestsOn(route).length;
      assert.ok(count >= 10 && count <= 30, `${count} calls of ${route} in a minute`);
    }
    assert.ok(environment.outputLines.length < 10, environment.outputLines.join("\n"));
  });
}

test("a poll that was held is repeated at once", async (t) => {
  const { server, environment } = await startWorker(t, { handler: () => 1 });
  for (let round = 1; round <= 5; round++) {
    const held = () => server.openPolls("job-take") + server.openPolls("job-stop") === 2;
    await server.until(() => held() && server.requestsOn("job-take").length === round);
    environment.advance(20_000);
    server.releasePolls();
  }
  await server.until(() => server.requestsOn("job-take").length === 6);
});

test("a stop channel that repeats itself is not polled in a tight loop", async (t) => {
  const repeat: Answer = ({ route }) =>
    route === "job-stop" ? { status: 200, text: '{"jobsToStop":["gone"]}' } : null;
  const { server, environment } = await startWorker(t, { handler: () => 1 }, repeat);
  while (environment.now() < 60_000) {
    await environment.untilSleeping(2);
    environment.wakeNext();
  }
  assert.ok(server.requestsOn("job-stop").length <= 30);
});

test("a stopped worker closes its take poll, finishes its jobs and takes no more", async (t) => {
  const hold = gate();
  const { server, stop, ended } = await startWorker(t, {
    concurrency: 2,
    handler: () => hold.passed.then(() => "finished"),
  });
  server.addJobs({ id: "j1", input: 1 });
  await server.until(
    () => server.openPolls("job-take") === 1 && server.openPolls("job-stop") === 1,
  );
  stop.abort();
  await server.until(() => server.openPolls("job-take") === 0);
  assert.equal(server.openPolls("job-stop"), 1, "a job can still be cancelled meanwhile");
  server.addJobs({ id: "late", input: 1 });
  hold.open();
  await ended;
  assert.deepEqual(server.posts("j1"), [{ output: "finished" }]);
  assert.deepEqual(server.posts("late"), []);
  assert.equal(server.queue.length, 1);
});

test("a job that arrives during the stop is run", async (t) => {
  const { server, stop, ended } = await startWorker(t, { handler: () => "accepted" });
  await server.until(() => server.openPolls("job-take") === 1);
  server.addJobs({ id: "j1", input: 1 });
  stop.abort();
  await ended;
  assert.deepEqual(server.posts("j1"), [{ output: "accepted" }]);
});

test("after drainMs the signals of running jobs abort, and a job that throws posts nothing", async (t) => {
  const started = gate();
  const { server, environment, stop, ended } = await startWorker(t, {
    concurrency: 2,
    drainMs: 8_000,
    handler: async ({ id }, { signal }) => {
      if (id === "saves") started.open();
      await once(signal, "abort");
      if (id === "gives-up") throw signal.reason;
      return "partial";
    },
  });
  await server.until(() => server.openPolls("job-take-batch") === 1);
  server.addJobs({ id: "gives-up", input: 1 }, { id: "saves", input: 1 });
  await started.passed;
  await environment.untilSleeping(1);
  stop.abort();
  await environment.untilSleeping(2);
  environment.advance(8_000);
  await ended;
  assert.deepEqual(server.posts("saves"), [{ output: "partial" }]);
  assert.deepEqual(server.posts("gives-up"), []);
});

test("an incomplete environment is refused with an error", async () => {
  const environment = new VirtualEnvironment({ RUNPOD_WEBHOOK_GET_JOB: "http://x/job-take/w" });
  await assert.rejects(start(environment, { handler: () => 1 }), /RUNPOD_WEBHOOK_POST_OUTPUT/);
});
