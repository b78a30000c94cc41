// The worker when its server is in trouble or it is told to end: results arrive all the same,
// nothing is asked in a tight loop, and no job that was accepted is dropped.

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import type { Answer } from "./rehearsal/protocol-server.ts";
import { gate, raise } from "./rehearsal/stage.ts";
import { VirtualWorld } from "./rehearsal/virtual-world.ts";
import { start } from "./start.ts";

/** Answers a route with these statuses, in turn, then leaves it to the server. */
function inTurn(route: string, statuses: number[]): Answer {
  return (asked) => (asked.route === route ? (statuses.shift() ?? null) : null);
}

test("a result is posted again until the server takes it", async (t) => {
  const answer = inTurn("job-done", [500, 503, 429]);
  const { server, world } = await raise(t, { handler: () => "kept" }, answer);
  server.give({ id: "j1", input: 1 });
  for (let failures = 0; failures < 3; failures++) {
    await world.asleep(2);
    assert.equal(server.posts("j1").length, failures + 1);
    world.wakeNext();
  }
  await server.until(() => server.posts("j1").length === 4);
  assert.deepEqual(
    new Set(server.on("job-done").map(({ text }) => text)),
    new Set(['{"output":"kept"}']),
  );
});

test("a result that is refused is not posted again, and the log says so", async (t) => {
  const { server, world } = await raise(t, { handler: () => 1 }, inTurn("job-done", [400]));
  server.give({ id: "j1", input: 1 }, { id: "j2", input: 1 });
  await server.until(() => server.posts("j2").length === 1);
  assert.equal(server.posts("j1").length, 1);
  assert.match(world.printed.join("\n"), /"j1","message":"The result is lost: POST .* HTTP 400"/);
});

test("a result survives a server that is gone for a minute", async (t) => {
  const hold = gate();
  const { server, world } = await raise(t, { handler: () => hold.passed.then(() => "kept") });
  server.give({ id: "j1", input: 1 });
  await server.until(() => server.on("job-take").length === 1 && server.queue.length === 0);
  await server.close();
  hold.open();
  const backAt = world.now() + 60_000;
  while (world.now() < backAt) {
    // The post, the stop channel and the ping, or the take in place of the post.
    await world.asleep(3);
    world.wakeNext();
  }
  assert.deepEqual(server.posts("j1"), []);
  await server.open();
  const taken = server.until(() => server.posts("j1").length === 1);
  await world.asleep(1);
  world.pass(5_000);
  await taken;
  assert.deepEqual(server.posts("j1"), [{ output: "kept" }]);
  server.give({ id: "j2", input: 1 });
  const next = server.until(() => server.posts("j2").length === 1);
  world.pass(5_000);
  await next;
});

test("a server that is gone for good does not hold a slot for ever", async (t) => {
  const answer: Answer = ({ route }) => (route === "job-done" ? 500 : null);
  const { server, world } = await raise(t, { handler: () => 1 }, answer);
  server.give({ id: "j1", input: 1 });
  while (server.on("job-take").length < 2 && world.now() < 900_000) {
    await Promise.race([world.asleep(2), server.until(() => server.held("job-take") > 0)]);
    world.wakeNext();
  }
  assert.ok(world.now() > 60_000 && world.now() < 900_000, `gave up after ${world.now()} ms`);
  assert.match(world.printed.join("\n"), /The result is lost/);
});

for (const status of [204, 400, 401, 404, 429, 500]) {
  test(`an instant ${status} is not asked again in a tight loop`, async (t) => {
    const answer: Answer = ({ route }) => (route === "ping" ? null : status);
    const { server, world } = await raise(t, { handler: () => 1 }, answer);
    while (world.now() < 60_000) {
      await world.asleep(3);
      world.wakeNext();
    }
    for (const route of ["job-take", "job-stop"]) {
      const count = server.on(route).length;
      assert.ok(count >= 10 && count <= 30, `${count} calls of ${route} in a minute`);
    }
    assert.ok(world.printed.length < 10, world.printed.join("\n"));
  });
}

test("a poll that was held is asked again at once", async (t) => {
  const { server, world } = await raise(t, { handler: () => 1 });
  for (let round = 1; round <= 5; round++) {
    const held = () => server.held("job-take") + server.held("job-stop") === 2;
    await server.until(() => held() && server.on("job-take").length === round);
    world.pass(20_000);
    server.releasePolls();
  }
  await server.until(() => server.on("job-take").length === 6);
});

test("a stop channel that repeats itself is not asked in a tight loop", async (t) => {
  const repeat: Answer = ({ route }) =>
    route === "job-stop" ? { status: 200, text: '{"jobsToStop":["gone"]}' } : null;
  const { server, world } = await raise(t, { handler: () => 1 }, repeat);
  while (world.now() < 60_000) {
    await world.asleep(2);
    world.wakeNext();
  }
  assert.ok(server.on("job-stop").length <= 30);
});

test("told to stop, it lets go of its polls, finishes what runs and takes nothing more", async (t) => {
  const hold = gate();
  const { server, quit, ended } = await raise(t, {
    concurrency: 2,
    handler: () => hold.passed.then(() => "finished"),
  });
  server.give({ id: "j1", input: 1 });
  await server.until(() => server.held("job-take") === 1 && server.held("job-stop") === 1);
  quit.abort();
  await server.until(() => server.held("job-take") === 0);
  assert.equal(server.held("job-stop"), 1, "a job can still be cancelled meanwhile");
  server.give({ id: "late", input: 1 });
  hold.open();
  await ended;
  assert.deepEqual(server.posts("j1"), [{ output: "finished" }]);
  assert.deepEqual(server.posts("late"), []);
  assert.equal(server.queue.length, 1);
});

test("a job that arrives as it is told to stop is run", async (t) => {
  const { server, quit, ended } = await raise(t, { handler: () => "accepted" });
  await server.until(() => server.held("job-take") === 1);
  server.give({ id: "j1", input: 1 });
  quit.abort();
  await ended;
  assert.deepEqual(server.posts("j1"), [{ output: "accepted" }]);
});

test("after drainMs the signals of running jobs abort, and what gives up posts nothing", async (t) => {
  const started = gate();
  const { server, world, quit, ended } = await raise(t, {
    concurrency: 2,
    drainMs: 8_000,
    handler: async ({ id }, { signal }) => {
      if (id === "saves") started.open();
      await once(signal, "abort");
      if (id === "gives-up") throw signal.reason;
      return "partial";
    },
  });
  await server.until(() => server.held("job-take-batch") === 1);
  server.give({ id: "gives-up", input: 1 }, { id: "saves", input: 1 });
  await started.passed;
  await world.asleep(1);
  quit.abort();
  await world.asleep(2);
  world.pass(8_000);
  await ended;
  assert.deepEqual(server.posts("saves"), [{ output: "partial" }]);
  assert.deepEqual(server.posts("gives-up"), []);
});

test("half an environment is refused with a sentence", async () => {
  const world = new VirtualWorld({ RUNPOD_WEBHOOK_GET_JOB: "http://x/job-take/w" });
  await assert.rejects(start(world, { handler: () => 1 }), /RUNPOD_WEBHOOK_POST_OUTPUT/);
});
